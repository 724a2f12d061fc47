"""lm-eval asks about evolved programs, and about the same programs before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.evolved import version
from harness.prompts import prompt
from harness.releases.dataset import load_release
from tests.harness.test_lm_eval import chat_model, serve, simple_evaluate

__all__ = ["serve"]


@pytest.mark.parametrize("name", ["code2bench_gene", "code2bench_gene_before"])
def test_groups_ask_about_one_side_of_each_pair(name: str, made: Path, serve: Any) -> None:
    told = {prompt(task).user: task for task in load_release(str(made)).tasks}

    def reply(request: dict[str, Any]) -> str:
        task = told[request["messages"][-1]["content"]]
        return task.reference if task.family != "repair" else f"```python\n{task.reference}```"

    url, asked = serve(reply)
    found = simple_evaluate(made, name, **chat_model(url))["results"][name]
    wanted = [task for task in told.values() if (version(task) == "original") == name.endswith("before")]
    assert {request["messages"][-1]["content"] for request in asked} == {prompt(task).user for task in wanted}
    assert found["pass@1,judged"] == 1
