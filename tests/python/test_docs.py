"""The examples in docs/python.md."""

import doctest
import re
from pathlib import Path

DOCUMENT = Path(__file__).parents[2] / "docs" / "python.md"


def test_examples(tmp_path, monkeypatch):
    text = DOCUMENT.read_text()
    for name, program in re.findall(r"<!-- file (\S+) -->\n```\n(.*?)```", text, re.DOTALL):
        (tmp_path / name).write_text(program)
    monkeypatch.chdir(tmp_path)
    examples = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "python.md", str(DOCUMENT), 0)
    failed, run = doctest.DocTestRunner().run(test)
    assert run > 10 and failed == 0


def test_example_of_the_package():
    import adze

    failed, run = doctest.testmod(adze)
    assert run > 0 and failed == 0
