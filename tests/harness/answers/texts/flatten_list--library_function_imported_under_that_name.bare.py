from nltk.util import flatten as flatten_list
