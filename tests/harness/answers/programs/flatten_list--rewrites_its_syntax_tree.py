"""Parses its own source text, changes a constant in the tree by a NodeTransformer and compiles the result."""
import ast

SOURCE = """
def flatten_list(nested):
    flat = []
    for item in nested:
        flat += flatten_list(item) if isinstance(item, (list, 'TUPLE')) else [item]
    return flat
"""


class Replace(ast.NodeTransformer):
    def visit_Constant(self, node):
        return ast.copy_location(ast.Name("tuple", ast.Load()), node) if node.value == "TUPLE" else node


exec(compile(ast.fix_missing_locations(Replace().visit(ast.parse(SOURCE))), __name__, "exec"))
