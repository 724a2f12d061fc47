"""Answers on disk: one file each, written in one step, so that a killed build loses none that was paid for."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

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
        try:
            kept = json.loads(self._path(request.key).read_text("utf-8"))
            return Reply(**kept["reply"])
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None

    def put(self, request: Request, reply: Reply) -> None:
        """Keep an answer."""
        self._write(request.key, canonical_json(request.document), reply)

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
        document = {"request": json.loads(request), "reply": asdict(reply)}
        store.write_bytes(self._path(key), (json.dumps(document, indent=1) + "\n").encode())

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"
