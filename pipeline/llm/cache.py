"""Answers on disk: one file each, written in one step, so that a killed build loses none that was paid for."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock

from harness.errors import UserError
from harness.records import canonical_json, digest
from pipeline import store
from pipeline.llm import Exchange, Reply, Request


@dataclass(frozen=True)
class AnswerCache:
    """The answers below a folder, each under the key of its request."""

    folder: Path

    def get(self, request: Request) -> Reply | None:
        """The answer that was given to an equal request; a damaged file counts as none."""
        with keeping(self.folder):
            try:
                return _reply(json.loads(self._path(request.key).read_text("utf-8")), request)
            except (FileNotFoundError, ValueError, RecursionError):
                return None

    def put(self, request: Request, reply: Reply) -> None:
        """Keep an answer."""
        self._write(request.key, canonical_json(request.document), reply)

    @contextmanager
    def alone(self, request: Request) -> Iterator[None]:
        """While this lasts nobody else who shares the folder asks the same, so that no answer is paid for twice.

        Few questions share a lock (the first 4 digits of their keys), so that there are not as many locks as answers.
        """
        lock = self._path(request.key).with_name(f"{request.key[:4]}.lock")
        with keeping(self.folder):
            lock.parent.mkdir(parents=True, exist_ok=True)
            held = FileLock(lock)
            held.acquire()
        try:
            yield
        finally:
            held.release()

    def take_over(self, exchanges: Iterable[Exchange]) -> int:
        """Keep the answers that a release has published; gives their number. Raises `UserError` for a false key."""
        count = 0
        for one in exchanges:
            if digest(one.request) != one.key:
                raise UserError(f"The recorded answer {one.key[:16]} is not under the key of its request: get it anew.")
            self._write(one.key, one.request, Reply(one.answer, one.finish, one.input_tokens, one.output_tokens))
            count += 1
        return count

    def _write(self, key: str, request: str, reply: Reply) -> None:
        try:
            document = {"request": json.loads(request), "reply": asdict(reply)}
        except ValueError:
            raise UserError(f"The recorded answer {key[:16]} has no request that can be read: get it anew.") from None
        with keeping(self.folder):
            store.write_bytes(self._path(key), (json.dumps(document, indent=1) + "\n").encode())

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"


@contextmanager
def keeping(path: Path) -> Iterator[None]:
    """Turns what a disk refuses into one sentence."""
    try:
        yield
    except OSError as error:
        raise UserError(
            f"What models say can't be kept under {path} ({error.strerror or error}): make it writable, or set "
            "CODE2BENCH_CACHE to another folder."
        ) from None


def _reply(kept: Any, request: Request) -> Reply | None:
    """The reply in a document, None where it is another's or no reply."""
    if not isinstance(kept, dict) or kept.get("request") != request.document or not isinstance(kept.get("reply"), dict):
        return None
    fields = [kept["reply"].get(name) for name in Reply.__dataclass_fields__]
    return Reply(*fields) if [type(value) for value in fields] == [str, str, int, int] else None
