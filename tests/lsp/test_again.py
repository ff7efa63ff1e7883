"""Analyses after edits give what a server gives that has never seen another text."""

import os
import pathlib
import random
import shutil
import tempfile
import unittest

from checked import Client

ADZE = os.environ["ADZE"]

OTHER = """
/// Twice as much.
pub fn twice[n: nat](a: [n]f32) -> [n]f32 { a |> map(|v| 2.0 * v) }
"""

PROGRAM = """import std.arrays (sum)
import std.linalg (dot)
import other

/// A mean.
fn mean[n: nat](a: [n]f32) -> f32 { sum(a) / f32(n) }

struct Pair { low: f32, high: f32 }

entry fn centred[n: nat](a: [n]f32) -> [n]f32 {
    let m = mean(a);
    a |> map(|v| v - m)
}

entry fn both[n: nat](a: [n]f32, b: [n]f32) -> f32 {
    let p = Pair { low: dot(a, twice(b)), high: 1.0 };
    p.low + p.high
}

test "a mean" { mean([1.0, 3.0]) == 2.0 }
"""

# Each replaces the first occurrence of a text in the text before.
EDITS = [
    ("/// A mean.", "// One more line.\n\n/// A mean."),
    ("sum(a) / f32(n)", "sum(a) / total"),
    ("total", "f32(n)"),
    ("let m = mean(a);", "let m = mean(a"),
    ("let m = mean(a", "let m = mean(a);"),
    ("import std.linalg (dot)\n", ""),
    ("import other\n", "import other\nimport std.linalg (dot, gemv)\n"),
    ("import std.linalg (dot, gemv)\n", "import std.linalg (dot)\nimport std.stats (argmax)\n"),
    ("import std.stats (argmax)\n", "impor"),
    ("impor\n", "\n"),
    ("entry fn both", "entry fn top[n: nat](a: [n]f32) -> i64 { argmax(a) }\n\nentry fn both"),
    ("import other\n", "import other\nimport std.stats\n"),
    ("a |> map(|v| v - m)", "a |> map(|v| v - twice)"),
    ("v - twice", "v - m"),
    ("struct Pair { low: f32", "struct Pair { low: f64"),
    ("low: f64", "low: f32"),
    ("fn mean[n: nat](a: [n]f32) -> f32 {", "fn dot(a: f32, b: f32) -> f32 { a * b }\nfn mean[n: nat](a: [n]f32) -> f32 {"),
    ("fn dot(a: f32, b: f32) -> f32 { a * b }\n", ""),
    ("sum(a) / f32(n)", "mean(a) / f32(n)"),
    ("mean(a) / f32(n)", "sum(a) / f32(n)"),
    ("import std.arrays (sum)", "#![in_order]\nimport std.arrays"),
    ("import std.arrays\n", ""),
    ("import other", "import std.arrays (sum)\nimport other2"),
    ("import other2", "import other"),
]  # fmt: skip


class Again(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "other.adz").write_text(OTHER)
        self.uri, self.other = f"file://{self.folder}/x.adz", f"file://{self.folder}/other.adz"
        self.same, self.new = Client(ADZE), Client(ADZE)
        for client in self.same, self.new:
            self.addCleanup(client.process.kill)
        self.version = 1
        self.text = PROGRAM
        for client in self.same, self.new:
            client.open(self.text, self.uri)
            client.diagnostics(self.uri, 1)

    def known(self, client):
        """What a server says of the text, whose diagnostics are published once: it has few entries."""
        document = {"textDocument": {"uri": self.uri}}
        lines = self.text.count("\n") + 1
        everything = {"start": {"line": 0, "character": 0}, "end": {"line": lines, "character": 0}}
        answers = {
            "diagnostics": client.diagnostics(self.uri, self.version),
            "symbols": client.ask("textDocument/documentSymbol", document),
            "tokens": client.ask("textDocument/semanticTokens/full", document),
            "hints": client.ask("textDocument/inlayHint", {**document, "range": everything}),
        }
        for line in range(0, lines, 3):
            for method in "hover", "definition":
                answers[method, line] = client.at(method, self.uri, line, 12)
        return answers

    def compare(self, what):
        """Opens the text in the second server as a new one, and compares."""
        document = {"uri": self.uri, "languageId": "adze", "version": self.version, "text": self.text}
        self.new.tell("textDocument/didClose", {"textDocument": {"uri": self.uri}})
        self.new.tell("textDocument/didOpen", {"textDocument": document})
        again, fresh = self.known(self.same), self.known(self.new)
        for key in fresh:
            self.assertEqual(again[key], fresh[key], f"{key} after {what}:\n{self.text}")

    def edit(self, old, new):
        before, found, after = self.text.partition(old)
        self.assertTrue(found or not old, old)
        self.text = before + new + after
        self.version += 1
        start = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
        lines = old.split("\n")
        end = {"line": start["line"] + len(lines) - 1,
               "character": len(lines[-1]) + (start["character"] if len(lines) == 1 else 0)}  # fmt: skip
        self.same.change(self.uri, self.version, {"range": {"start": start, "end": end}, "text": new})

    def test_edits(self):
        for old, new in EDITS:
            self.edit(old, new)
            self.compare((old, new))

    def test_imported_file(self):
        self.edit("/// A mean.", "/// The mean.")
        self.compare("the library is kept")
        for client in self.same, self.new:
            client.open(OTHER, self.other)
        for k, text in enumerate([OTHER.replace("[n]f32 {", "[n]f64 {"), OTHER.replace("twice", "thrice"), OTHER], 2):
            for client in self.same, self.new:
                client.change(self.other, k, {"text": text})
            self.edit("mean.", "mean..")
            self.compare(text)
        for client in self.same, self.new:
            client.tell("textDocument/didClose", {"textDocument": {"uri": self.other}})
        self.edit("mean.", "mean..")
        self.compare("the file is closed")

    def test_module_that_hides_one_of_the_library(self):
        self.edit("/// A mean.", "/// The mean.")
        self.compare("the library is kept")
        (self.folder / "std").mkdir()
        (self.folder / "std/linalg.adz").write_text("pub fn dot[n: nat](a: [n]f32, b: [n]f32) -> i64 { 1 }\n")
        self.edit("/// The mean.", "/// A mean.")
        self.compare("a module of this name beside the program")
        (self.folder / "std/linalg.adz").unlink()
        self.edit("/// A mean.", "/// The mean.")
        self.compare("it is removed")

    def test_random(self):
        rng = random.Random(int(os.environ.get("SEED", "1")))
        pieces = [PROGRAM[i : i + 9] for i in range(0, len(PROGRAM), 5)] + ["import std.stats\n", "import std.text\n", "", "", ""]
        for _ in range(int(os.environ.get("ROUNDS", "25"))):
            at = rng.randrange(len(self.text))
            begin = self.text.rfind("\n", 0, at) + 1
            line = self.text[begin : self.text.find("\n", at) + 1]
            if self.text.count(line) == 1:
                cut = rng.randrange(len(line))
                self.edit(line, line[:cut] + rng.choice(pieces) + line[cut + rng.randrange(9) :])
                self.compare(line)
            if rng.random() < 0.2:
                self.edit(self.text, PROGRAM)
                self.compare("the program as it was")

    def test_memory(self):
        """The memory of the server does not grow with edits."""
        def resident():
            status = pathlib.Path(f"/proc/{self.same.process.pid}/status").read_text()
            return int(status.split("VmRSS:")[1].split()[0]) / 1024

        for k in range(120):
            self.edit("/// A mean" if k % 2 == 0 else "/// The mean", "/// The mean" if k % 2 == 0 else "/// A mean")
            self.same.diagnostics(self.uri, self.version)
            if k == 19:
                before = resident()
        self.assertLess(resident(), 1.2 * before + 4)


if __name__ == "__main__":
    unittest.main()
