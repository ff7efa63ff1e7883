"""The lexer for Pygments: no program has text that it does not know, and the sample gets the expected tokens."""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "editors/pygments"))
from adze_pygments import AdzeLexer  # noqa: E402

from pygments.token import Error, Keyword, Name, Number, Operator, String  # noqa: E402

EXPECTED = [
    (Keyword.Namespace, "import"),
    (Name.Namespace, "std.linalg"),
    (Name.Constant, "ROWS"),
    (Name.Class, "Body"),
    (Keyword.Type, "float"),
    (Name.Function, "gemv"),
    (Name.Function, "pow"),
    (Name.Function, "fuse_maps"),
    (Name.Builtin, "map"),
    (Keyword, "where"),
    (Keyword, "step"),
    (Number.Float, "1.5e3"),
    (Number.Hex, "0xffi64"),
    (Number.Integer, "1_000"),
    (Operator, "|>"),
    (String, "text with { and //"),
    (String.Char, "'{'"),
]


def main():
    lexer = AdzeLexer()
    failures = []
    sample = list(lexer.get_tokens(Path(__file__).with_name("sample.adz").read_text()))
    failures += [f"{token} is not in the sample" for token in EXPECTED if token not in sample]
    paths = sorted((ROOT / "examples").rglob("*.adz")) + sorted((ROOT / "lib").rglob("*.adz"))
    for path in paths:
        text = path.read_text()
        tokens = list(lexer.get_tokens(text))
        wrong = [value for kind, value in tokens if kind is Error]
        if wrong or "".join(value for _, value in tokens).strip("\n") != text.strip("\n"):
            failures.append(f"{path.relative_to(ROOT)}: {wrong[:3]}")
    print(f"Pygments: {len(paths)} programs")
    print("\n".join(failures), end="\n" if failures else "")
    return bool(failures) or not paths


if __name__ == "__main__":
    sys.exit(main())
