"""Import statements: what each binds a name to, and the same import alone on a line."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from pipeline.languages.python.syntax import identifier, kind
from pipeline.languages.scoping import Import

_ALIASED, _WILDCARD, _DOTTED = kind("aliased_import"), kind("wildcard_import"), kind("dotted_name")


def _dotted(node: Node | None) -> str:
    if node is None:
        return ""
    return ".".join(identifier(part) for part in "".join((node.text or b"").decode("utf-8", "replace").split())
                    .encode("utf-8").split(b"."))


def _parts(node: Node) -> tuple[str, str]:
    """The imported dotted name, and the alias or nothing."""
    if node.kind_id != _ALIASED:
        return _dotted(node), ""
    return _dotted(node.child_by_field_name("name")), _dotted(node.child_by_field_name("alias"))


def plain_imports(node: Node) -> Iterator[tuple[str, Import]]:
    """`import a.b` binds `a`, and `import a.b as c` binds `c` to `a.b`."""
    for child in node.children_by_field_name("name"):
        module, alias = _parts(child)
        if alias:
            yield alias, Import(module, module, f"import {module} as {alias}")
        else:
            first = module.split(".", 1)[0]
            yield first, Import(first, module, f"import {module}")


def from_import(node: Node) -> tuple[str, list[tuple[str, Import]]]:
    """The module of `from module import ...` with the names; none are given for `*`."""
    module = _dotted(node.child_by_field_name("module_name"))
    if any(child.kind_id == _WILDCARD for child in node.named_children):
        return module, []
    return module, list(_members(node, module))


def future_names(node: Node) -> list[tuple[str, Import]]:
    """The names of `from __future__ import ...`."""
    return list(_members(node, "__future__"))


def _members(node: Node, module: str) -> Iterator[tuple[str, Import]]:
    for child in node.children_by_field_name("name"):
        member, alias = _parts(child)
        target = f"{module}{member}" if module.endswith(".") else f"{module}.{member}"
        suffix = f" as {alias}" if alias and alias != member else ""
        yield alias or member, Import(target, module, f"from {module} import {member}{suffix}")
