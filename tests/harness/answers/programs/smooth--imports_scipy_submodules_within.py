"""Imports scipy.ndimage and scipy.signal within the function."""
import numpy


def smooth(values, width):
    if width < 1:
        raise ValueError("width must be at least 1")
    if width > len(values):
        return []
    if width % 2:
        import scipy.ndimage

        half = width // 2
        means = scipy.ndimage.uniform_filter1d(numpy.asarray(values), width)
        return means[half:len(values) - half].tolist()
    from scipy import signal

    return signal.convolve(values, [1 / width] * width, "valid", "direct").tolist()
