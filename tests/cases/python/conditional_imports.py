# Names that are imported in one way or another: what counts is what the pinned runtime takes.
import sys
from typing import TYPE_CHECKING

try:
    import simplejson as json
except ImportError:
    import json

try:
    import ujson as fast_json
except ImportError:
    import json as fast_json

try:
    import numpy as np
except ImportError:
    np = None

try:
    from ._speedups import escape
except ImportError:
    from html import escape

try:
    import cython
except ImportError:
    cython = None

try:
    from math import prod
except ImportError:
    def prod(xs):
        return 1

try:
    import first_missing as chained
except ModuleNotFoundError:
    try:
        import second_missing as chained
    except ModuleNotFoundError:
        import bisect as chained

if sys.version_info >= (3, 8):
    from typing import Literal
else:
    from typing_extensions import Literal

if sys.version_info[0] < 3:
    from urllib import quote
else:
    from urllib.parse import quote

if sys.version_info < (3, 12):
    from itertools import chain as batched
else:
    from itertools import batched

if TYPE_CHECKING:
    import pandas as pd
    from collections.abc import Iterable
    from .models import Model

if not TYPE_CHECKING:
    from string import digits

if sys.platform == "win32":
    import ntpath as paths
else:
    import posixpath as paths

if sys.platform == "win32":
    import re as expressions
else:
    import re as expressions

try:
    text_type = unicode
except NameError:
    text_type = str

import heapq
heapq = None

import copy
del copy


def tried_and_there(s):
    # ^ class: WSC simplejson
    # ^ imports: import simplejson as json
    return json.loads(s)


def tried_and_missing(s):
    # ^ class: WSC json
    # ^ imports: import json as fast_json
    return fast_json.loads(s)


def none_as_fallback(a):
    # ^ class: WSC numpy
    return np.sum(a)
    #      ^ defined: 16, 18


def project_first(s):
    # ^ class: PROJECT_DEPENDENT ._speedups.escape
    return escape(s)


def missing_without_replacement(s):
    # ^ class: LIBRARY_NOT_ALLOWED cython.compiled
    return cython.compiled


def function_as_fallback(xs):
    # ^ class: WSC math
    return prod(xs)


def chained_attempts(xs):
    # ^ class: WSC bisect
    # ^ imports: import bisect as chained
    return chained.bisect(xs, 1)


def by_version(a: Literal["a", "b"]):
    # ^ class: SC
    # ^ imports: from typing import Literal
    return a


def by_major_version(a):
    # ^ class: WSC urllib.parse
    return quote(a)


def by_later_version(a):
    # ^ class: WSC itertools
    # ^ imports: from itertools import chain as batched
    return batched(a)


def type_checking_annotation(a: "Iterable[int]") -> int:
    # ^ class: SC
    # ^ imports: from collections.abc import Iterable
    return len(a)


def type_checking_library(a: "pd.DataFrame") -> int:
    # ^ class: WSC pandas
    return len(a)


def type_checking_project(a: "Model") -> int:
    # ^ class: PROJECT_DEPENDENT .models.Model
    return len(a)


def type_checking_value(a) -> int:
    # ^ class: UNSURE pd
    return pd.DataFrame(a)


def not_type_checking(a):
    # ^ class: WSC string
    return digits


def by_platform(a):
    # ^ class: UNSURE paths
    return paths.join(a)


def same_in_both_branches(a):
    # ^ class: WSC re
    return expressions.compile(a)


def python_2_name(a):
    # ^ class: PROJECT_DEPENDENT text_type
    return text_type(a)


def rebound(a):
    # ^ class: UNSURE heapq
    return heapq.heapify(a)


def deleted(a):
    # ^ class: UNSURE copy
    return copy.copy(a)


def tried_inside(a):
    # ^ class: LIBRARY_NOT_ALLOWED ujson
    try:
        import ujson
    except ImportError:
        ujson = None
    return a
