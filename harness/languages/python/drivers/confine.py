"""Runs inside the sandbox: how a warm process gives a fork of its own surroundings before it runs anything untrusted.

Namespaces for processes, files and IPC, a /tmp of its own, limits, no privileges, Landlock, and a filter of system
calls. Only the standard library is used, and `ctypes` for what Python has no function for.
"""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import signal
import struct

_X86 = platform.machine() == "x86_64"
_CLONE, _CAPSET = (56, 126) if _X86 else (220, 91)
_RULESET, _RULE, _RESTRICT = 444, 445, 446
_NEW_FILES, _NEW_IPC, _NEW_PROCESSES = 0x00020000, 0x08000000, 0x20000000
_NO_SUID, _NO_DEVICES, _BIND, _MOVE, _RECURSIVE, _PRIVATE = 2, 4, 1 << 12, 1 << 13, 1 << 14, 1 << 18
_MADE = "/tmp/.made"
"""Where a new /tmp is made ready, in the old one."""
_SET_FILTER, _DROP_BOUND, _NO_NEW_PRIVILEGES, _AMBIENT = 22, 24, 38, 47
_CAPABILITIES_V3 = 0x20080522

_EXECUTE, _WRITE, _READ, _LIST = 1, 2, 4, 8
_DEVICES = 1 << 6 | 1 << 11
"""Landlock's rights to make character and block devices."""
_TRUNCATE = 1 << 14
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""How many rights on files each version of Landlock knows."""

_c = ctypes.PyDLL(None, use_errno=True)


def _done(result: int, what: str) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")
    return result


def born() -> int:
    """Fork into new namespaces for processes, files and IPC; gives what `os.fork` gives.

    The process must have a single thread. In the child, the first process of its namespace, signals that end a process
    have no effect from inside.
    """
    flags = _NEW_FILES | _NEW_IPC | _NEW_PROCESSES | signal.SIGCHLD
    child = _done(_c.syscall(_CLONE, ctypes.c_long(flags), None, None, None, None), "clone")
    if not child:
        ctypes.pythonapi.PyOS_AfterFork_Child()
    return child


def own_files(size: int, files: int, shown: list[str]) -> None:
    """Put a /tmp of so many bytes and files over the old one, for this namespace alone, with these paths of the old."""
    _mount(None, "/", _RECURSIVE | _PRIVATE)
    options = f"size={size},nr_inodes={files},mode=1777"
    if not shown:
        _mount("tmpfs", "/tmp", _NO_SUID | _NO_DEVICES, options)
        return
    usual = os.umask(0o022)
    os.makedirs(_MADE, exist_ok=True)
    _mount("tmpfs", _MADE, _NO_SUID | _NO_DEVICES, options)
    for path in shown:
        again = _MADE + path.removeprefix("/tmp")
        if os.path.isdir(path):
            os.makedirs(again)
        else:
            os.makedirs(os.path.dirname(again), exist_ok=True)
            os.close(os.open(again, os.O_CREAT, 0o644))
        _mount(path, again, _BIND | _RECURSIVE)
    _mount(_MADE, "/tmp", _MOVE)
    os.umask(usual)


def _mount(what: str | None, where: str, flags: int, options: str | None = None) -> None:
    kind = "tmpfs" if options else None
    texts = [None if text is None else text.encode() for text in (what, where, kind, options)]
    _done(_c.mount(*texts[:3], ctypes.c_ulong(flags), texts[3]), f"mount {where}")


def limit(bounds: dict[str, int]) -> None:
    """Set limits on this process, by the names that Python's `resource` has for them."""
    for name, most in bounds.items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))


def drop(user: int) -> None:
    """Give up all privileges for good; become the user with that number, unless it is 0."""
    number = 0
    while _c.prctl(_DROP_BOUND, ctypes.c_ulong(number), *_zeros(3)) == 0:
        number += 1
    _c.prctl(_AMBIENT, ctypes.c_ulong(4), *_zeros(3))
    if user:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    header, none = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITIES_V3, 0)), ctypes.create_string_buffer(24)
    _done(_c.syscall(_CAPSET, header, none), "capset")
    _done(_c.prctl(_NO_NEW_PRIVILEGES, ctypes.c_ulong(1), *_zeros(3)), "no new privileges")


def _zeros(count: int) -> list[ctypes.c_ulong]:
    return [ctypes.c_ulong(0)] * count


def landlock() -> int:
    """Let files be written below /tmp only, TCP be used nowhere; the version that did it, 0 where there is none."""
    version: int = _c.syscall(_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    if version <= 0:
        return 0
    rights = (1 << _RIGHTS.get(version, 16)) - 1
    fields = [rights, *([3] if version >= 4 else []), *([3] if version >= 6 else [])]
    handled = ctypes.create_string_buffer(struct.pack(f"={len(fields)}Q", *fields))
    size = ctypes.c_size_t(8 * len(fields))
    rules = _done(_c.syscall(_RULESET, handled, size, ctypes.c_uint32(0)), "landlock")
    of_files = (_EXECUTE | _WRITE | _READ | _TRUNCATE | 1 << 15) & rights
    for path, allowed in (
        ("/", _EXECUTE | _READ | _LIST), ("/tmp", rights & ~_DEVICES), ("/dev/null", of_files), ("/dev/full", of_files),
    ):
        _allow(rules, path, allowed)
    _done(_c.syscall(_RESTRICT, rules, ctypes.c_uint32(0)), "landlock")
    os.close(rules)
    return version


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, place))
    _done(_c.syscall(_RULE, rules, ctypes.c_int(1), rule, ctypes.c_uint32(0)), f"landlock on {path}")
    os.close(place)


def filter_calls(program: bytes) -> None:
    """Refuse system calls by a program of the kernel's classic BPF."""
    code = ctypes.create_string_buffer(program, len(program))
    filter_ = ctypes.create_string_buffer(struct.pack("@HP", len(program) // 8, ctypes.addressof(code)))
    _done(_c.prctl(_SET_FILTER, ctypes.c_ulong(2), filter_, *_zeros(2)), "seccomp")
