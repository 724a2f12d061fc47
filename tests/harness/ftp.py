"""A file server that several processes can see, in a thread of the tests: its files lie in a folder of this machine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import FTPHandler
from pyftpdlib.ioloop import IOLoop
from pyftpdlib.log import config_logging
from pyftpdlib.servers import FTPServer

USER, PASSWORD = "somebody", "p@ss:word"  # fsspec takes a password as it stands in the address


@dataclass(frozen=True)
class Ftp:
    """`address` holds user and password, `shown` is what people may see of it, `root` is the folder behind it."""

    address: str
    shown: str
    root: Path
    server: FTPServer

    def hang_up(self) -> None:
        """Close all connections, as a server does with those that nobody uses."""
        done = threading.Event()

        def close() -> None:
            for one in list(self.server.ioloop.socket_map.values()):
                if isinstance(one, FTPHandler):
                    one.close()
            done.set()

        self.server.ioloop.call_later(0, close)
        assert done.wait(10)


@contextmanager
def ftp_server(root: Path) -> Iterator[Ftp]:
    """The server, while it runs."""
    config_logging(level="ERROR")
    people = DummyAuthorizer()
    people.add_user(USER, PASSWORD, str(root), perm="elradfmwMT")
    handler = type("Handler", (FTPHandler,), {"authorizer": people, "auth_failed_timeout": 0.05})
    server = FTPServer(("127.0.0.1", 0), handler, ioloop=IOLoop())
    host = f"127.0.0.1:{server.address[1]}"
    stop = threading.Event()
    thread = threading.Thread(target=_serve, args=(server, stop), daemon=True)
    thread.start()
    try:
        yield Ftp(f"ftp://{USER}:{PASSWORD}@{host}", f"ftp://{USER}@{host}", root, server)
    finally:
        stop.set()
        thread.join(10)


def _serve(server: FTPServer, stop: threading.Event) -> None:
    while not stop.is_set():
        server.serve_forever(timeout=0.02, blocking=False, handle_exit=False)
    server.close_all()
