# What the list of libraries allows, and what it refuses.
import copy
import datetime
import hashlib
import os
import random
import re
import time
import uuid
from datetime import date, datetime as moment
from os import environ, path
from pathlib import Path, PurePath
from random import Random, shuffle

import numpy as np
import pandas as pd
import yaml
from bs4 import BeautifulSoup
from dateutil import parser
from numpy.random import default_rng
from PIL import Image
from sklearn.metrics.pairwise import cosine_similarity


def clock():
    # ^ class: LIBRARY_NOT_ALLOWED datetime.datetime.now
    return datetime.datetime.now()


def clock_by_alias():
    # ^ class: LIBRARY_NOT_ALLOWED datetime.date.today, datetime.datetime.utcnow
    return moment.utcnow(), date.today()


def clock_by_local_name():
    # ^ class: LIBRARY_NOT_ALLOWED datetime.datetime.now
    d = datetime.datetime
    return d.now()


def dates(s):
    # ^ class: WSC datetime
    return datetime.datetime.strptime(s, "%Y") - moment(2000, 1, 1)


def unseeded(xs):
    # ^ class: LIBRARY_NOT_ALLOWED random.shuffle
    return shuffle(xs)


def seeded(xs):
    # ^ class: WSC random
    return Random(1).choice(xs), random.Random(2)


def no_seed_given(xs):
    # ^ class: LIBRARY_NOT_ALLOWED random.Random
    return Random().choice(xs)


def generator_passed_on(xs):
    # ^ class: LIBRARY_NOT_ALLOWED random.Random
    return map(Random, xs)


def numpy_random(n):
    # ^ class: LIBRARY_NOT_ALLOWED numpy.random.rand
    return np.random.rand(n)


def numpy_seeded(n):
    # ^ class: WSC numpy, numpy.random
    return default_rng(1).random(n), np.random.RandomState(n)


def numpy_module_as_value(n):
    # ^ class: UNSURE numpy
    return getattr(np, n)


def whole_module_as_value(n):
    # ^ class: WSC re
    return getattr(re, n)


def environment(n):
    # ^ class: LIBRARY_NOT_ALLOWED os.environ
    return environ[n]


def system(n):
    # ^ class: LIBRARY_NOT_ALLOWED os.system
    return os.system(n)


def disk(n):
    # ^ class: LIBRARY_NOT_ALLOWED os.path.exists
    return path.exists(n)


def pure_path(n):
    # ^ class: WSC os.path
    return path.basename(n)


def paths(n):
    # ^ class: WSC pathlib
    return PurePath(n).suffix, Path(n).stem


def working_directory(n):
    # ^ class: LIBRARY_NOT_ALLOWED pathlib.Path.cwd
    return Path.cwd() / n


def files(n):
    # ^ class: LIBRARY_NOT_ALLOWED numpy.load, pandas.read_csv
    return np.load(n), pd.read_csv(n)


def sleeping(n):
    # ^ class: LIBRARY_NOT_ALLOWED time.sleep
    return time.sleep(n)


def chance_in_ids(n):
    # ^ class: LIBRARY_NOT_ALLOWED uuid.uuid4
    return uuid.uuid4()


def named_ids(n):
    # ^ class: WSC uuid
    return uuid.uuid5(uuid.NAMESPACE_DNS, n)


def hashing(n):
    # ^ class: WSC hashlib
    return hashlib.sha256(n).hexdigest()


def by_distribution(a, b):
    # ^ class: WSC bs4, dateutil, sklearn.metrics.pairwise, yaml
    return BeautifulSoup(a), parser.parse(a), yaml.safe_load(a), cosine_similarity(a, b)


def runs_code(a):
    # ^ class: LIBRARY_NOT_ALLOWED yaml.unsafe_load
    return yaml.unsafe_load(a)


def opens(a):
    # ^ class: LIBRARY_NOT_ALLOWED PIL.Image.open
    return Image.open(a)


def copies(a):
    # ^ class: WSC copy
    return copy.deepcopy(a)
