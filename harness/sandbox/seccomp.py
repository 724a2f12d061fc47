"""A filter of system calls, in the kernel's classic BPF: what no pure function needs is refused in every namespace.

Numbers are those of the kernel's `asm/unistd.h`; `program` is what `bwrap --seccomp` reads, `profile` says the same to
container runtimes. A refused call fails with an error, as on a kernel that lacks it, so that a library which tries one
goes on. A lock on a file seems to be had, since nobody else is there, and does nothing.
"""

from __future__ import annotations

import errno
import platform
import struct
from itertools import chain
from typing import Any

_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST, _SECOND, _SECOND_UPPER, _FOURTH = 0, 4, 16, 24, 28, 40
"""Offsets in `struct seccomp_data`; arguments are read by their lower half mostly; these machines are little-endian."""
_FOREIGN_ABI = 0x40000000
_INT = 0xFFFFFFFF
"""The part of an argument that the kernel looks at where it is an `int`."""

_MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
_REFUSED: dict[str, tuple[int | None, int | None]] = {
    # Other processes, the kernel's memory of this one, and its counters.
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "process_madvise": (440, 440), "perf_event_open": (298, 241),
    "userfaultfd": (323, 282), "bpf": (321, 280), "lookup_dcookie": (212, 18), "personality": (135, 92),
    # Namespaces, mounts, and files by other ways than their paths.
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41),
    "chroot": (161, 51), "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fspick": (433, 433), "open_tree": (428, 428), "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264), "fanotify_init": (300, 262),
    "quotactl": (179, 60), "quotactl_fd": (443, 443), "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89),
    # Keys, asynchronous calls that a filter does not see, and the machine itself.
    "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "reboot": (169, 142), "syslog": (103, 116),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "settimeofday": (164, 170), "clock_settime": (227, 112), "clock_adjtime": (305, 266),
    "adjtimex": (159, 171), "sethostname": (170, 161), "setdomainname": (171, 162), "vhangup": (153, 58),
    # Memory that outlives every mapping of it belongs to no process, so no limit on memory counts it.
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "msgget": (68, 186),
    "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None), "nfsservctl": (180, 42),
    "migrate_pages": (256, 238), "move_pages": (279, 239), "semget": (64, 190), "semop": (65, 193),
    "semctl": (66, 191), "semtimedop": (220, 192), "mq_open": (240, 180), "io_setup": (206, 0),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "setxattrat": (463, 463),
    # What waits in a listening socket, or in a pipe without having been copied, belongs to no process either.
    "listen": (50, 201), "vmsplice": (278, 75), "splice": (275, 76), "tee": (276, 77),
    "timer_create": (222, 107), "landlock_create_ruleset": (444, 444), "landlock_add_rule": (445, 445),
    # Who else reads a file.
    "inotify_init": (253, None), "inotify_init1": (294, 26), "cachestat": (451, 451),
}
_CLONE, _CLONE3, _SOCKET, _PAIR, _FLOCK = (56, 220), (435, 435), (41, 198), (53, 199), (73, 32)
_SIGACTION, _PRLIMIT, _MAP = (13, 134), (302, 261), (9, 222)
_SHARED, _ANONYMOUS = 1, 0x20
"""MAP_SHARED and MAP_ANONYMOUS: together, memory that stays taken when all but a page of it is unmapped again."""
_CHILD_ENDED = 17
"""SIGCHLD: the time of children whose ends are ignored is counted nowhere."""
_NEW_NAMESPACES = 0x7E020000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET."""
_LOCAL = 1
"""AF_UNIX: no pure function needs sockets of another family, and vsock's lead out of a network namespace."""
_BY_VALUE: dict[str, tuple[tuple[int, int], int, dict[int, int]]] = {
    # TIOCSTI and TIOCLINUX, which type into a terminal.
    "ioctl": ((16, 29), 1, {0x5412: errno.EPERM, 0x541C: errno.EPERM}),
    # F_SETLK, F_SETLKW, F_OFD_SETLK and F_OFD_SETLKW: others see locks. F_SETLEASE, F_NOTIFY and F_SETPIPE_SZ.
    "fcntl": ((72, 25), 1, {6: 0, 7: 0, 37: 0, 38: 0, 1024: errno.EPERM, 1026: errno.EPERM, 1031: errno.EPERM}),
    # PR_FUTEX_HASH: a table as large as one likes.
    "prctl": ((157, 167), 0, {78: errno.EINVAL}),
    # SO_SNDBUF, SO_RCVBUF and SO_ATTACH_FILTER: a socket holds what the kernel gives it.
    "setsockopt": ((54, 208), 2, {7: errno.EPERM, 8: errno.EPERM, 26: errno.EPERM}),
}
"""Calls that are refused where an argument has one of these values: their numbers, its place, the error for each."""


def program(machine: str = "") -> bytes:
    """The filter for this machine's processor, empty where there is none for it."""
    known = _MACHINES.get(machine or platform.machine())
    if known is None:
        return b""
    architecture, column = known
    code = [_load(_ARCHITECTURE), _jump(_EQUAL, architecture, 1, 0), _give(_KILL), _load(_NUMBER)]
    code += [_jump(_AT_LEAST, _FOREIGN_ABI, 0, 1), _give(_ERRNO | errno.ENOSYS)]
    for number in (each[column] for each in _REFUSED.values()):
        if number is not None:
            code += [_jump(_EQUAL, number, 0, 1), _give(_ERRNO | errno.EPERM)]
    # Its arguments lie in memory, where a filter can't look, so libraries are sent back to `clone`.
    code += [_jump(_EQUAL, _CLONE3[column], 0, 1), _give(_ERRNO | errno.ENOSYS)]
    code += _when(_CLONE[column], [
        _load(_FIRST), _jump(_ANY_BIT, _NEW_NAMESPACES, 0, 1), _give(_ERRNO | errno.EPERM),
    ])
    code += _when(_SIGACTION[column], [
        _load(_FIRST), _jump(_EQUAL, _CHILD_ENDED, 0, 5), _load(_SECOND), _jump(_EQUAL, 0, 0, 2),
        _load(_SECOND_UPPER), _jump(_EQUAL, 0, 1, 0), _give(_ERRNO | errno.EPERM),
    ])
    code += _when(_PRLIMIT[column], [_load(_FIRST), _jump(_EQUAL, 0, 1, 0), _give(_ERRNO | errno.EPERM)])
    code += _when(_MAP[column], [
        _load(_FOURTH), _jump(_ANY_BIT, _ANONYMOUS, 0, 2), _jump(_ANY_BIT, _SHARED, 0, 1), _give(_ERRNO | errno.EPERM),
    ])
    for call in (_SOCKET, _PAIR):
        code += _when(call[column], [_load(_FIRST), _jump(_EQUAL, _LOCAL, 1, 0), _give(_ERRNO | errno.EAFNOSUPPORT)])
    code += [_jump(_EQUAL, _FLOCK[column], 0, 1), _give(_ERRNO)]
    for numbers, place, errors in _BY_VALUE.values():
        tests = [(_jump(_EQUAL, value, 0, 1), _give(_ERRNO | error)) for value, error in errors.items()]
        code += _when(numbers[column], [_load(_FIRST + 8 * place), *chain.from_iterable(tests)])
    return b"".join([*code, _give(_ALLOW)])


def profile(machine: str = "") -> dict[str, Any]:
    """The same filter as container runtimes read it, empty where there is none for this machine's processor."""
    machine = machine or platform.machine()
    if machine not in _MACHINES:
        return {}
    column = _MACHINES[machine][1]
    bits = [1 << place for place in range(32) if _NEW_NAMESPACES >> place & 1]
    # Rules for one call are tried one by one: each refuses by itself.
    rules = [
        _refusal([name for name, numbers in _REFUSED.items() if numbers[column] is not None]),
        _refusal(["clone3"], error=errno.ENOSYS),
        *(_refusal(["clone"], _masked(0, bit, bit)) for bit in bits),
        _refusal(["rt_sigaction"], _masked(0, _INT, _CHILD_ENDED), _argument(1, "NE", 0)),
        _refusal(["prlimit64"], _argument(0, "NE", 0)),
        _refusal(["mmap"], _masked(3, _SHARED | _ANONYMOUS, _SHARED | _ANONYMOUS)),
        _refusal(["socket", "socketpair"], _argument(0, "NE", _LOCAL), error=errno.EAFNOSUPPORT),
        _refusal(["flock"], error=0),
        *(
            _refusal([name], _masked(place, _INT, value), error=error)
            for name, (_, place, errors) in _BY_VALUE.items() for value, error in errors.items()
        ),
    ]
    architecture = f"SCMP_ARCH_{machine.upper()}"
    return {"defaultAction": "SCMP_ACT_ALLOW", "architectures": [architecture], "syscalls": rules}


def _refusal(names: list[str], *arguments: dict[str, Any], error: int = errno.EPERM) -> dict[str, Any]:
    """A rule of a profile: these calls fail where all of the arguments are like that."""
    return {"names": names, "action": "SCMP_ACT_ERRNO", "errnoRet": error, "args": list(arguments)}


def _argument(place: int, test: str, value: int, second: int = 0) -> dict[str, Any]:
    return {"index": place, "value": value, "valueTwo": second, "op": f"SCMP_CMP_{test}"}


def _masked(place: int, mask: int, value: int) -> dict[str, Any]:
    """The argument, of which only the bits of the mask are looked at, has this value."""
    return _argument(place, "MASKED_EQ", mask, value)


def _when(number: int, inner: list[bytes]) -> list[bytes]:
    """Instructions for one system call; after them, where they return nothing, the call is allowed."""
    return [_jump(_EQUAL, number, 0, len(inner) + 1), *inner, _give(_ALLOW)]


def _load(offset: int) -> bytes:
    return struct.pack("<HBBI", _LOAD, 0, 0, offset)


def _jump(test: int, value: int, yes: int, no: int) -> bytes:
    return struct.pack("<HBBI", test, yes, no, value)


def _give(result: int) -> bytes:
    return struct.pack("<HBBI", _RETURN, 0, 0, result)
