"""Which kind of node is read how."""

from __future__ import annotations

from pipeline.languages.python.scoping import bindings, definitions
from pipeline.languages.python.scoping.reader import Handler, Reader
from pipeline.languages.python.syntax import GRAMMAR, kinds, parse
from pipeline.languages.scoping import Reading, ScopeSink

_TABLE: dict[str, Handler] = {
    "identifier": bindings.name,
    "attribute": bindings.attribute,
    "call": bindings.call,
    "keyword_argument": bindings.keyword,
    "subscript": bindings.subscript,
    "generic_type": bindings.generic_type,
    "string": bindings.string,
    "assignment": bindings.assignment,
    "augmented_assignment": bindings.augmented,
    "named_expression": bindings.walrus,
    "for_statement": bindings.loop,
    "while_statement": bindings.loop,
    "as_pattern": bindings.as_pattern,
    "except_clause": bindings.handler,
    "delete_statement": bindings.deletion,
    "global_statement": bindings.global_names,
    "nonlocal_statement": bindings.nonlocal_names,
    "import_statement": bindings.import_modules,
    "import_from_statement": bindings.import_members,
    "future_import_statement": bindings.import_future,
    "if_statement": bindings.branch,
    "try_statement": bindings.attempt,
    "match_statement": bindings.match,
    "case_pattern": bindings.case_pattern,
    "dotted_name": bindings.dotted_name,
    "class_pattern": bindings.class_pattern,
    "keyword_pattern": bindings.keyword_pattern,
    "if_clause": bindings.as_value,
    "decorated_definition": definitions.decorated,
    "function_definition": definitions.function,
    "class_definition": definitions.class_body,
    "lambda": definitions.anonymous,
    "list_comprehension": definitions.comprehension,
    "set_comprehension": definitions.comprehension,
    "dictionary_comprehension": definitions.comprehension,
    "generator_expression": definitions.comprehension,
    "type_alias_statement": definitions.type_alias,
}
_NOTHING = (
    "comment", "line_continuation", "integer", "float", "true", "false", "none", "ellipsis", "pass_statement",
    "break_statement", "continue_statement", "type_conversion", "string_content",
)


def _handlers() -> list[Handler | None]:
    handlers: list[Handler | None] = [None] * (GRAMMAR.node_kind_count + 1)
    for name, handler in (*_TABLE.items(), *((name, bindings.nothing) for name in _NOTHING)):
        for index in kinds(name):
            handlers[index] = handler
    return handlers


HANDLERS = _handlers()


def read(data: bytes, sink: ScopeSink) -> Reading:
    """Report the scopes, definitions and references of a file in UTF-8."""
    return Reader(sink, HANDLERS).read(parse(data).root_node)
