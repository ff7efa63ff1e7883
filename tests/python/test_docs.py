"""The examples in documents."""

import doctest
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name, least", [("python.md", 10), ("tutorial/10-callers.md", 8)])
def test_examples(name, least, tmp_path, monkeypatch):
    document = DOCS / name
    text = document.read_text()
    for file, program in re.findall(r"<!-- file (\S+) -->\n```\n(.*?)```", text, re.DOTALL):
        (tmp_path / file).write_text(program)
    monkeypatch.chdir(tmp_path)
    examples = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, name, str(document), 0)
    failed, run = doctest.DocTestRunner().run(test)
    assert run > least and failed == 0


def test_example_of_the_package():
    import adze

    failed, run = doctest.testmod(adze)
    assert run > 0 and failed == 0
