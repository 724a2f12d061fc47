"""Many questions at a time: they wait together, and one thread alone does anything else."""

from __future__ import annotations

import ast
import time
from pathlib import Path
from threading import Barrier
from typing import Any

from pipeline.config import LlmConfig, ModelConfig
from pipeline.llm.desk import Office, side_by_side
from tests.pipeline.llm.model_server import serving


def test_questions_wait_together_and_nothing_else_does(tmp_path: Path) -> None:
    busy: list[int] = []
    together = Barrier(8)

    def action(number: int) -> str:
        busy.append(number)
        ast.parse("[" * 50 + "1" + "]" * 50)
        time.sleep(0.005)
        assert busy == [number]
        busy.clear()
        return office.desk("try", str(number)).text("one", ({"role": "user", "content": str(number)},), "echo")

    def mind(body: dict[str, Any]) -> str:
        together.wait(60)
        return str(body["messages"][0]["content"])

    with serving(mind) as model:
        one = ModelConfig("m", model.address, concurrency=16)
        office = Office(LlmConfig(), (("one", one),), tmp_path / "answers", tmp_path / "account.json")
        assert list(side_by_side(action, range(24), "try")) == [str(number) for number in range(24)]
