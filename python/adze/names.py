"""Names of Adze in Python."""

import keyword


def python_name(name):
    """The name, with an underscore behind it if Python reserves it."""
    return name + "_" if keyword.iskeyword(name) else name
