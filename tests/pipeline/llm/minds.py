"""What models say in tests: made from the prompt that they were sent, so that whole builds can be run with them."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from tests.pipeline.llm.model_server import Mind

CRITERIA = (
    "constructible_parameters", "meaningful_complexity", "no_side_effects", "no_special_knowledge",
    "inputs_can_be_generated",
)
KINDS = {
    "Decide whether it makes a good task": "suitability",
    "You rate how hard": "difficulty",
    "You write the d": "instruction",
    "Find out whether the instruction is to blame": "missing",
    "You shorten the description": "level 1",
    "You extend the description of a programming task from its purpose": "level 2",
    "You extend the description of a programming task from its behaviour": "level 3",
    "You say the description": "rephrasing",
    "You translate": "translation",
    "You compare two descriptions": "comparison",
    "Answer with one ```python code block": "solution",
}


def kind_of(body: dict[str, Any]) -> str:
    """What a request asks for, by the words of its prompt."""
    system = body["messages"][0]["content"]
    return next((kind for words, kind in KINDS.items() if words in system), "")


def material(body: dict[str, Any], name: str, place: int = 0) -> str:
    """What stands between the tags of that name."""
    user = "\n".join(message["content"] for message in body["messages"] if message["role"] == "user")
    found = re.findall(rf"(?s)<({name}-[0-9a-f]{{12}})>\n(.*?)\n</\1>", user)
    return found[place][1] if len(found) > place else ""


def docstring(body: dict[str, Any]) -> str:
    """The docstring of the function that is shown."""
    node = ast.parse(material(body, "code")).body[-1]
    assert isinstance(node, ast.FunctionDef)
    return ast.get_docstring(node) or "It does what its name says."


def suitable(verdict: bool = True, criterion: str = "meaningful_complexity") -> str:
    said = dict.fromkeys(CRITERIA, True) | ({} if verdict else {criterion: False})
    return json.dumps({**said, "suitable": verdict, "reason": "It has rules of its own." if verdict else "Too little."})


def written(body: dict[str, Any], text: str) -> str:
    return json.dumps({"signature": material(body, "signature"), "docstring": text})


def solved(body: dict[str, Any], solutions: Mapping[str, str]) -> str:
    user = body["messages"][-1]["content"]
    name = re.findall(r"(?m)^def (\w+)\(", user)[-1]
    return f"```python\n{solutions.get(name, f'def {name}(*args): pass')}\n```"


def helpful(solutions: Mapping[str, str] = {}, **others: Callable[[dict[str, Any]], str]) -> Mind:
    """A model that does all that it is asked; `others` answer in its place, by kind, with `_` for spaces."""
    answers: dict[str, Callable[[dict[str, Any]], str]] = {
        "suitability": lambda body: suitable(),
        "difficulty": lambda body: json.dumps({"difficulty": "Medium", "reason": "There are some rules."}),
        "instruction": lambda body: written(body, "Written by a model.\n\n" + docstring(body)),
        "missing": lambda body: json.dumps({"missing": []}),
        "level 1": lambda body: written(body, docstring(body).split("\n")[0]),
        "level 2": lambda body: written(body, f"What is wanted is this. {docstring(body)}"),
        "level 3": lambda body: written(body, f"{docstring(body)}\n\nThe steps come in just the order of this text. "
                                              "Nothing else comes between them."),
        "rephrasing": lambda body: written(body, f"Said otherwise: {material(body, 'text')}"),
        "translation": lambda body: json.dumps({"text": f"So: {material(body, 'text')}"}),
        "comparison": lambda body: json.dumps({"same": True, "difference": ""}),
        "solution": lambda body: solved(body, solutions),
    }
    answers |= {name.replace("_", " "): answer for name, answer in others.items()}
    return lambda body: answers[kind_of(body)](body)
