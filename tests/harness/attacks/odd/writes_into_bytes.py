"""Packs its counts into raw memory by ctypes, array and struct, and unpacks them again."""
import array
import ctypes
import struct


def runs(text):
    codes = array.array("I", [ord(character) for character in text])
    buffer = (ctypes.c_uint32 * (2 * len(codes) or 1))()
    used = 0
    for code in codes:
        if used and buffer[2 * used - 2] == code:
            buffer[2 * used - 1] += 1
        else:
            buffer[2 * used], buffer[2 * used + 1] = code, 1
            used += 1
    pairs = struct.iter_unpack("=II", memoryview(buffer).cast("B")[: 8 * used])
    return [(chr(code), count) for code, count in pairs]
