# Imports: what each binds a name to, which statements a function needs, whom it makes dependent.
from __future__ import annotations

import collections.abc
import json as j, re
import os
import os.path
import xml.etree.ElementTree
import numpy as np
import ownpackage.parts
import requests
from datetime import datetime as dt
from itertools import (
    chain,
    groupby as by,
)
from scipy import spatial
from scipy.spatial.distance import cdist
from typing import List, Optional

from . import sibling
from .sibling import helper as assistant
from ..above import thing


def plain(s):
    # ^ class: WSC re
    # ^ imports: from __future__ import annotations; import re
    return re.sub("a", "b", s)
    #      ^ library: re.sub


def alias(s):
    # ^ class: WSC json
    # ^ imports: from __future__ import annotations; import json as j
    return j.loads(s)
    #      ^ library: json.loads


def members(xs):
    # ^ class: WSC itertools
    # ^ imports: from __future__ import annotations; from itertools import chain; from itertools import groupby as by
    return by(chain(*xs))
    #      ^ library: itertools.groupby
    #         ^ library: itertools.chain


def class_alias(s):
    # ^ class: WSC datetime
    return dt.strptime(s, "%Y")
    #      ^ library: datetime.datetime.strptime


def submodule(s):
    # ^ class: WSC xml.etree.ElementTree
    # ^ imports: from __future__ import annotations; import xml.etree.ElementTree
    return xml.etree.ElementTree.fromstring(s)
    #      ^ library: xml.etree.ElementTree.fromstring


def path_part(s):
    # ^ class: WSC os, os.path
    # ^ imports: from __future__ import annotations; import os; import os.path
    return os.path.join(s, os.sep)
    #      ^ library: os.path.join
    #                      ^ library: os.sep


def from_module(a, b):
    # ^ class: WSC scipy, scipy.spatial.distance
    return cdist(a, b) + spatial.distance.cosine(a, b)
    #      ^ library: scipy.spatial.distance.cdist
    #                    ^ library: scipy.spatial.distance.cosine


def third_party(a):
    # ^ class: WSC numpy
    # ^ imports: from __future__ import annotations; import numpy as np
    return np.linalg.norm(a)
    #      ^ library: numpy.linalg.norm


def typing_only(a: List[int]) -> Optional[int]:
    # ^ class: SC
    # ^ imports: from __future__ import annotations; from typing import List; from typing import Optional
    return a[0]


def abstract_in_annotation(a: collections.abc.Sequence) -> int:
    # ^ class: SC
    # ^ imports: from __future__ import annotations; import collections.abc
    return len(a)


def abstract_as_value(a) -> int:
    # ^ class: WSC collections.abc
    return isinstance(a, collections.abc.Sequence)
    #                    ^ library: collections.abc.Sequence


def library_in_annotation(a: np.ndarray) -> float:
    # ^ class: WSC numpy
    return a.sum()


def nothing_imported(a):
    # ^ class: SC
    # ^ imports: from __future__ import annotations
    return a


def relative(a):
    # ^ class: PROJECT_DEPENDENT .sibling.f
    return sibling.f(a)
    #      ^ library: .sibling.f


def relative_member(a):
    # ^ class: PROJECT_DEPENDENT .sibling.helper
    return assistant(a)
    #      ^ library: .sibling.helper


def two_levels_up(a):
    # ^ class: PROJECT_DEPENDENT ..above.thing
    return thing(a)
    #      ^ library: ..above.thing


def own_package(a):
    # ^ class: PROJECT_DEPENDENT ownpackage.parts.f
    return ownpackage.parts.f(a)


def not_allowed(a):
    # ^ class: LIBRARY_NOT_ALLOWED requests.get
    return requests.get(a)


def project_weighs_more(a):
    # ^ class: PROJECT_DEPENDENT .sibling.f
    return requests.get(sibling.f(a))


def inside(s):
    # ^ class: WSC json
    # ^ imports: from __future__ import annotations
    import json
    return json.loads(s)
    #      ^ library: json.loads


def inside_member(s):
    # ^ class: WSC collections
    from collections import Counter as C
    return C(s)
    #      ^ library: collections.Counter


def inside_project(s):
    # ^ class: PROJECT_DEPENDENT ownpackage
    import ownpackage.parts
    return s


def inside_relative(s):
    # ^ class: PROJECT_DEPENDENT .sibling.f
    from .sibling import f
    return f(s)


def inside_refused(s):
    # ^ class: LIBRARY_NOT_ALLOWED subprocess
    import subprocess
    return s


def inside_shadows(s):
    # ^ class: WSC math
    from math import floor as requests
    return requests(s)
    #      ^ library: math.floor


def seen_in_nested(s):
    # ^ class: WSC string
    import string

    def inner():
        return string.digits
        #      ^ library: string.digits
    return inner


def another_name(s):
    # ^ class: WSC re
    search = re.search
    return search("a", s)
    #      ^ library: re.search


def another_name_twice(s):
    # ^ class: WSC re
    r = re
    c = r.compile
    return c(s).pattern
    #      ^ library: re.compile


def name_given_twice(s):
    search = re.search
    search = s
    return search(s)
    #      ^ defined: 211, 212


def reexported(s):
    # ^ class: PROJECT_DEPENDENT .sibling.re.sub
    return sibling.re.sub("a", "b", s)
