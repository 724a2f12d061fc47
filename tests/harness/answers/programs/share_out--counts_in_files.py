"""Deals the parts out into temporary files and reads them back by mmap."""
import mmap
import pathlib
import struct
import tempfile


def share_out(total, parts):
    if parts < 1:
        raise ValueError("no parts")
    each, rest = divmod(total, parts)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "parts.bin"
        path.write_bytes(b"".join(struct.pack("?", n < rest) for n in range(parts)))
        with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
            return tuple(each + more for (more,) in struct.iter_unpack("?", memory[:]))
