"""What the language server answers about a program, feature by feature."""

import os
import pathlib
import random
import tempfile
import time
import unittest

from checked import Client

ADZE = os.environ["ADZE"]
URI = "file:///nowhere/x.adz"
TEXT = """\
import std.stats (mean)

/// Twice as much.
fn twice[n: nat](a: [n]f32) -> [n]f32 {
    let b = a |> map(|x| x * 2.0);
    b
}

struct P { x: f32, y: f32 }
enum Shape { Circle(f32), Square(f32) }

/// The whole.
entry fn main[n: nat](a: [n]f32, p: P) -> f32 {
    let c = twice(a);
    let mut s = c |> reduce(+, 0.0);
    let P { x, y } = p;
    s += x * y;
    s * p.x + mean(c)
}

fn area(s: Shape) -> f32 {
    match s {
        Shape.Circle(r) => 3.0 * r,
        Shape.Square(w) => w * w,
    }
}

test "one" { main([1.0, 3.0], P { x: 1.0, y: 2.0 }) == 14.0 }
"""


def place(text, mark, nth=0):
    """The line and character of the nth occurrence of a text."""
    at = -1
    for _ in range(nth + 1):
        at = text.index(mark, at + 1)
    before = text[:at]
    return before.count("\n"), len(before) - before.rfind("\n") - 1


def span(text, mark, nth=0, length=None):
    """The range of the nth occurrence of a text, in the first line of it."""
    line, character = place(text, mark, nth)
    end = {"line": line, "character": character + (length or len(mark))}
    return {"start": {"line": line, "character": character}, "end": end}


# The result depends on the steps of the loop: C compilers may leave out one that does nothing, and assume that it ends.
FOREVER = """test "forever" {
    let mut k = 0;
    let mut n = 0;
    while k != 3 { k = (5 * k + 2) % 1000; n = (n + k) % 7; }
    n == 5
}
"""


def changed(text, edits):
    """The text after edits."""
    lines = text.split("\n")

    def offset(p):
        return sum(len(line) + 1 for line in lines[: p["line"]]) + p["character"]

    for e in sorted(edits, key=lambda e: -offset(e["range"]["start"])):
        r = e["range"]
        text = text[: offset(r["start"])] + e["newText"] + text[offset(r["end"]) :]
    return text


def state_and_parent(pid):
    """The second and third of the numbers of /proc, which every kernel has; `children` only some."""
    try:
        state, parent = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
        return state, int(parent)
    except OSError:
        return "X", 0  # it has ended


def is_running(pid):
    return state_and_parent(pid)[0] not in "ZX"


def descendants(pid):
    children = [int(p.name) for p in pathlib.Path("/proc").glob("[0-9]*") if state_and_parent(p.name)[1] == pid]
    return children + [d for child in children for d in descendants(child)]


def running(pids):
    """Those that run adze, and not the C compiler."""
    return [pid for pid in pids if is_running(pid) and pathlib.Path(f"/proc/{pid}/comm").read_text().startswith("adze")]


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = Client(ADZE)

    @classmethod
    def tearDownClass(cls):
        assert cls.client.close() == (0, "")

    def setUp(self):
        self.uris = []

    def tearDown(self):
        for uri in self.uris:
            self.client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
        self.client.refused("textDocument/codeLens", {"textDocument": {"uri": URI}})
        self.client.messages.clear()

    def open(self, text, uri=URI):
        self.uris.append(uri)
        return self.client.open(text, uri)

    def whole(self, method, uri=URI, **more):
        everything = {"start": {"line": 0, "character": 0}, "end": {"line": 9999, "character": 0}}
        params = {"textDocument": {"uri": uri}, "range": everything, **more}
        return self.client.ask("textDocument/" + method, params)

    def at(self, method, mark, nth=0, text=TEXT, shift=0, **more):
        line, character = place(text, mark, nth)
        return self.client.at(method, URI, line, character + shift, **more)


class Names(Case):
    def hover(self, mark, nth=0):
        found = self.at("hover", mark, nth)
        return found and (found["contents"]["value"], found["range"])

    def test_hover(self):
        self.open(TEXT)
        self.assertEqual(self.client.diagnostics(URI, 1), [])
        code = "```adze\n%s\n```"
        twice = code % "fn twice[n: nat](a: [n]f32) -> [n]f32" + "\n\nTwice as much."
        self.assertEqual(self.hover("twice", 1), (twice, span(TEXT, "twice", 1)))
        self.assertEqual(self.hover("twice"), (twice, span(TEXT, "twice")))
        self.assertEqual(self.hover("b\n"), (code % "b: [n]f32", span(TEXT, "b\n", length=1)))
        self.assertEqual(self.hover("x * 2")[0], code % "x: f32")
        self.assertEqual(self.hover("n]f32")[0], code % "n: nat")
        self.assertEqual(self.hover("s += x")[0], code % "mut s: f32")
        self.assertEqual(self.hover("r) =>")[0], code % "r: f32")
        self.assertEqual(self.hover("P) ->")[0], code % "struct P {\n    x: f32,\n    y: f32,\n}")
        self.assertEqual(self.hover("x + mean")[0], code % "x: f32")
        self.assertEqual(self.hover("Circle", 1)[0], code % "Shape.Circle(f32)")
        self.assertEqual(self.hover("Shape", 1)[0], code % "enum Shape {\n    Circle(f32),\n    Square(f32),\n}")
        self.assertEqual(self.hover("* 2.0")[0], code % "f32")
        self.assertIn("Combines all elements", self.hover("reduce")[0])
        self.assertTrue(self.hover("mean(c)")[0].endswith("from `std.stats`"))
        self.assertIsNone(self.hover("\nstruct"))

    def test_definition(self):
        self.open(TEXT)
        here = {"uri": URI, "range": span(TEXT, "twice")}
        self.assertEqual(self.at("definition", "twice(a)"), here)
        self.assertEqual(self.at("definition", "c |> reduce"), {"uri": URI, "range": span(TEXT, "c = ", length=1)})
        self.assertEqual(self.at("definition", "x + mean"), {"uri": URI, "range": span(TEXT, "x: f32", length=1)})
        self.assertEqual(self.at("definition", "x * y"), {"uri": URI, "range": span(TEXT, "x, y", length=1)})
        self.assertEqual(self.at("definition", "Square(w)")["range"], span(TEXT, "Square"))
        self.assertEqual(self.at("definition", "s {")["range"], span(TEXT, "s: Shape", length=1))
        for mark, nth, file, name in [("mean", 0, "std/stats.adz", "mean"), ("mean(c)", 0, "std/stats.adz", "mean"),
                                      ("std.stats", 0, "std/stats.adz", ""), ("map", 0, "prelude.adz", "map")]:
            found = self.at("definition", mark, nth)
            path = pathlib.Path(found["uri"].removeprefix("file://"))
            start, end = found["range"]["start"], found["range"]["end"]
            self.assertTrue(str(path).endswith("lib/" + file), path)
            line = path.read_text().split("\n")[start["line"]]
            self.assertEqual(line[start["character"] : end["character"]], name)
        self.assertIsNone(self.at("definition", "0.0"))

    def test_references(self):
        self.open(TEXT)
        all_of_x = [span(TEXT, "x: f32", length=1), span(TEXT, "x, y", length=1), span(TEXT, "x + mean", length=1),
                    span(TEXT, "x: 1.0", length=1)]
        found = self.at("references", "x: f32", context={"includeDeclaration": True})
        self.assertEqual([f["range"] for f in found], all_of_x)
        found = self.at("references", "x + mean", context={"includeDeclaration": False})
        self.assertEqual([f["range"] for f in found], all_of_x[1:])
        found = self.at("documentHighlight", "s += x")
        marks = [("s = c", 0), ("s += x", 0), ("s * p", 0)]
        self.assertEqual([f["range"] for f in found], [span(TEXT, m, n, 1) for m, n in marks])

    def rename(self, mark, name, nth=0):
        edits = self.at("rename", mark, nth, newName=name)["changes"]
        self.assertEqual(list(edits), [URI])
        return changed(TEXT, edits[URI])

    def test_rename(self):
        self.open(TEXT)
        self.assertEqual(self.rename("twice(a)", "double"), TEXT.replace("twice", "double"))
        self.assertEqual(self.rename("c = ", "whole"), TEXT.replace("let c", "let whole").replace("c |>", "whole |>")
                         .replace("(c)", "(whole)"))
        field = TEXT.replace("x: ", "u: ").replace("P { x,", "P { u: x,").replace("p.x", "p.u")
        self.assertEqual(self.rename("x + mean", "u"), field)
        local = TEXT.replace("P { x,", "P { x: u,").replace("s += x", "s += u")
        self.assertEqual(self.rename("x * y", "u"), local)
        sizes = TEXT.replace("twice[n: nat](a: [n]f32) -> [n]f32", "twice[m: nat](a: [m]f32) -> [m]f32")
        self.assertEqual(self.rename("n: nat", "m"), sizes)
        self.assertEqual(self.rename("Circle", "Disc"), TEXT.replace("Circle", "Disc"))
        self.assertEqual(self.at("prepareRename", "Circle(r)"), {"range": span(TEXT, "Circle", 1), "placeholder": "Circle"})
        line, character = place(TEXT, "twice(a)")
        where = {"textDocument": {"uri": URI}, "position": {"line": line, "character": character}}
        for name in ["2x", "let", "a b", "", "a.b", "x // y"]:
            error = self.client.refused("textDocument/rename", {**where, "newName": name})
            self.assertEqual(error, {"code": -32803, "message": "this is not a name in Adze"})
        line, character = place(TEXT, "P {")
        where["position"] = {"line": line, "character": character}
        error = self.client.refused("textDocument/rename", {**where, "newName": "Shape"})
        self.assertEqual(error["message"], "this name would be an error: `Shape` is defined twice")
        line, character = place(TEXT, "reduce")
        where["position"] = {"line": line, "character": character}
        error = self.client.refused("textDocument/rename", {**where, "newName": "x"})
        self.assertEqual(error["message"], "this name is not declared in a file that is open in the editor or in its workspace")

    def test_rename_to_a_name_in_use(self):
        text = "fn f() -> f32 {\n    let b = 1.0;\n    let c = 2.0;\n    b + c\n}\n"
        self.open(text)
        where = {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 8}}
        error = self.client.refused("textDocument/rename", {**where, "newName": "c"})
        self.assertEqual(error["message"], "another declaration of this name would be meant in its place")
        edits = self.client.ask("textDocument/rename", {**where, "newName": "d"})["changes"][URI]
        self.assertEqual(changed(text, edits), text.replace("b", "d"))

    def test_rename_where_meanings_are_unknown(self):
        text = "fn g(x: f32) -> f32 { x }\n\nfn f[s: shape](a: [..s]f32) -> f32 { g(1.0) }\n\n%s"
        for rest, message in [("", "line 3 has this name where its meaning is not known, such as in a function of any rank that is "
                               "not called"), ("fn (", "the file has syntax errors")]:
            self.open(text % rest)
            where = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 3}, "newName": "h"}
            self.assertEqual(self.client.refused("textDocument/rename", where)["message"], message)
            self.client.tell("textDocument/didClose", {"textDocument": {"uri": self.uris.pop()}})
        called = text % "entry fn main(a: [2][3]f32) -> f32 { f(a) }\n"
        self.open(called)
        edits = self.client.ask("textDocument/rename", where)["changes"][URI]
        self.assertEqual(changed(called, edits), called.replace("g(", "h("))

    def test_names_of_other_files(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder).resolve()
            (folder / "a.adz").write_text("fn f(x: f32) -> f32 { x }\n")
            a, b = f"file://{folder}/a.adz", f"file://{folder}/b.adz"
            text_a = "fn g(x: f32) -> f32 { x }\n\nfn h(x: f32) -> f32 { g(x) }\n"
            text_b = "import a (g)\n\nentry fn main(x: f32) -> f32 { g(x) + g(1.0) }\n"
            self.open(text_b, b)
            self.assertEqual([d["code"] for d in self.client.diagnostics(b, 1)], ["E0205"])
            self.open(text_a, a)  # the open text counts, not the file
            self.assertEqual(self.client.diagnostics(b, 1), [])
            found = self.client.at("definition", b, 2, 31)
            self.assertEqual(found, {"uri": a, "range": span(text_a, "g")})
            edits = self.client.at("rename", b, 2, 31, newName="k")["changes"]
            self.assertEqual(changed(text_a, edits[a]), text_a.replace("g", "k"))
            self.assertEqual(changed(text_b, edits[b]), text_b.replace("(g)", "(k)").replace("g(", "k("))
            self.client.change(a, 2, {"text": "fn g(x: f32) -> f32 { y }\n"})
            found = self.client.diagnostics(b, 1)
            self.assertEqual([(d["code"], d["range"]) for d in found], [("E0201", span(text_b, "a"))])
            self.assertEqual(found[0]["relatedInformation"][0]["location"]["uri"], a)
            self.client.tell("textDocument/didClose", {"textDocument": {"uri": a}})  # the file counts again
            self.assertEqual([d["code"] for d in self.client.diagnostics(b, 1)], ["E0205"])
            (folder / "a.adz").write_text(text_a)
            self.client.tell("workspace/didChangeWatchedFiles", {"changes": []})
            self.assertEqual(self.client.diagnostics(b, 1), [])


    def test_names_in_the_workspace(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder).resolve()
            texts = {
                "a.adz": "fn g(x: f32) -> f32 { x }\n\nfn h(x: f32) -> f32 { g(x) }\n",
                "b.adz": "import a (g)\n\nentry fn main(x: f32) -> f32 { g(x) + g(1.0) }\n",
                "part/c.adz": "pub import d\n",
                "part/d.adz": "fn g(x: f32) -> f32 { 2.0 * x } // another g\n",
                "other.adz": "entry fn main(g: f32) -> f32 { g }\n",
                "bad.adz": b"\xff g",
            }
            (folder / "part").mkdir()
            for name, text in texts.items():
                (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
            uris = {name: f"file://{folder}/{name}" for name in texts}
            b, where = uris["b.adz"], {"position": {"line": 2, "character": 31}}
            self.open(texts["b.adz"], b)
            ask = {"textDocument": {"uri": b}, **where, "context": {"includeDeclaration": True}}
            found = self.client.ask("textDocument/references", ask)
            self.assertEqual({f["uri"] for f in found}, {b})  # no folder is part of the workspace yet
            self.assertIn("or in its workspace", self.client.refused("textDocument/rename", {**ask, "newName": "k"})["message"])
            event = {"added": [{"uri": f"file://{folder}", "name": "x"}], "removed": []}
            self.client.tell("workspace/didChangeWorkspaceFolders", {"event": event})
            found = self.client.ask("textDocument/references", ask)
            places = [(f["uri"], f["range"]) for f in found]
            a = uris["a.adz"]
            self.assertEqual(places, [(b, span(texts["b.adz"], "g)", 0, 1)), (b, span(texts["b.adz"], "g(x", 0, 1)),
                                      (b, span(texts["b.adz"], "g(1", 0, 1)), (a, span(texts["a.adz"], "g(x)", 0, 1)),
                                      (a, span(texts["a.adz"], "g(x:", 0, 1))])
            edits = self.client.ask("textDocument/rename", {**ask, "newName": "k"})["changes"]
            self.assertEqual(set(edits), {a, b})
            self.assertEqual(changed(texts["a.adz"], edits[a]), texts["a.adz"].replace("g", "k"))
            self.assertEqual(changed(texts["b.adz"], edits[b]), texts["b.adz"].replace("(g)", "(k)").replace("g(", "k("))
            self.open("fn g(x: f32) -> f32 { x }\n", a)  # the open text counts
            found = self.client.ask("textDocument/references", ask)
            self.assertEqual([f["uri"] for f in found], [a, b, b, b])
            (folder / "e.adz").write_text("import a (g)\n\nfn f[s: shape](a: [..s]f32) -> f32 { g(1.0) }\n")
            self.assertIn("e.adz: line 3 has this name", self.client.refused("textDocument/rename", {**ask, "newName": "k"})["message"])
            event = {"removed": [{"uri": f"file://{folder}", "name": "x"}], "added": []}
            self.client.tell("workspace/didChangeWorkspaceFolders", {"event": event})
            self.client.tell("textDocument/didClose", {"textDocument": {"uri": self.uris.pop()}})
            self.assertEqual({f["uri"] for f in self.client.ask("textDocument/references", ask)}, {b})


    def test_workspace_that_is_too_large(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder).resolve()
            (folder / "a.adz").write_text("fn g(x: f32) -> f32 { x }\n")
            (folder / "many").mkdir()
            for k in range(21000):
                (folder / "many" / str(k)).touch()
            text, uri = "import a (g)\n\nentry fn main(x: f32) -> f32 { g(x) }\n", f"file://{folder}/b.adz"
            self.open(text, uri)
            ask = {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 31}, "context": {"includeDeclaration": True}}
            event = {"added": [{"uri": f"file://{folder}", "name": "x"}], "removed": []}
            self.client.tell("workspace/didChangeWorkspaceFolders", {"event": event})
            found = self.client.ask("textDocument/references", ask)
            self.assertIn(uri, {f["uri"] for f in found})
            warning = self.client.wait_for(lambda m: m.get("method") == "window/showMessage")["params"]
            self.assertIn("too many files", warning["message"])
            self.assertIn("too many files", self.client.refused("textDocument/rename", {**ask, "newName": "k"})["message"])
            event = {"removed": [{"uri": f"file://{folder}", "name": "x"}], "added": []}
            self.client.tell("workspace/didChangeWorkspaceFolders", {"event": event})


class Writing(Case):
    def labels(self, text, **more):
        """The completions at the `^` of a text, which is not part of it."""
        line, character = place(text, "^")
        uri = self.open(text.replace("^", ""), more.pop("uri", URI))
        items = self.client.at("completion", uri, line, character)["items"]
        self.client.tell("textDocument/didClose", {"textDocument": {"uri": self.uris.pop()}})
        return {i["label"]: i for i in items}

    def test_completion(self):
        inside = "entry fn main[n: nat](a: [n]f32, b: f32) -> f32 {\n    let c = a;\n    ^\n}\nfn other() -> f32 { let d = 1.0; d }\n"
        found = self.labels(inside)
        for name, kind, detail in [("a", 6, "a: [n]f32"), ("c", 6, "c: [n]f32"), ("n", 25, "n: nat"), ("let", 14, None),
                                   ("other", 3, "other() -> f32"), ("sqrt", 3, None), ("f64", 25, None)]:
            self.assertEqual((found[name]["kind"], found[name].get("detail")), (kind, detail), name)
        self.assertNotIn("d", found)
        self.assertNotIn("here_", found)
        shadowed = "fn f(x: f32) -> f32 {\n    let x = true;\n    x^\n}\n"
        self.assertEqual(self.labels(shadowed)["x"]["detail"], "x: bool")

    def test_completion_of_imports(self):
        found = self.labels("import std.^\n")
        self.assertIn("std.stats", found)
        self.assertNotIn("map", found)
        found = self.labels("import std.stats (me^)\n")
        self.assertEqual(found["mean"]["kind"], 3)
        self.assertNotIn("map", found)

    def test_completion_of_strategies(self):
        text = ("import std.strategies (lower)\n\nrule r[n: nat](a: [n]f32) { map(|x| x, a) => a }\n\n"
                "strategy own(k: nat, s: strategy) { ^ }\n\nentry fn f(x: f32) -> f32 { x }\n\nschedule f for c(rows = 4) { ^ }\n")
        first = self.labels(text.replace("{ ^ }\n\nentry", "{ ^ }\n\nentry", 1).replace("c(rows = 4) { ^ }", "c(rows = 4) { own(rows, lower) }"))
        for name in ["k", "s", "own", "r", "lower", "repeat", "try"]:
            self.assertIn(name, first)
        self.assertFalse({"map", "let", "f", "sqrt", "rows"} & set(first))
        self.assertEqual(first["repeat"]["documentation"]["value"], "applies s until it fails; gives what there is then")
        second = self.labels(text.replace("strategy) { ^ }", "strategy) { s }"))
        self.assertTrue({"rows", "own", "lower"} <= set(second))
        self.assertNotIn("k", second)

    def test_completion_of_pipes(self):
        found = self.labels("fn f[n: nat](a: [n]f32) -> f32 {\n    let x = 1.0;\n    a |> ^\n}\n")
        self.assertEqual(found["map"]["insertText"], "map(f)")
        self.assertEqual(found["map"]["detail"], "map[n: nat, s, t: data](f: fn(s) -> t, xs: [n]s) -> [n]t")
        self.assertIn("Applies", found["map"]["documentation"]["value"])
        self.assertEqual(found["reduce"]["insertText"], "reduce(op, z)")
        self.assertEqual(found["f"]["insertText"], "f")
        self.assertFalse({"let", "x", "sqrt"} & set(found))
        same = self.labels("fn f[n: nat](a: [n]f32) -> f32 {\n    a\n        |> map(|x| x)\n        |> re^\n}\n")
        self.assertEqual(same["reduce"]["insertText"], "reduce(op, z)")

    def test_completion_after_dots(self):
        types = "struct P { x: f32, y: [2]f32 }\nenum E { One, Two(f32) }\n"
        found = self.labels(types + "fn f(p: P) -> f32 { p.^ }\n")
        self.assertEqual({k: v["detail"] for k, v in found.items()}, {"x": "f32", "y": "[2]f32"})
        found = self.labels(types + "fn f(p: [3]P) -> f32 { p[0].^; 1.0 }\n")
        self.assertEqual(set(found), {"x", "y"})
        self.assertEqual(set(self.labels(types + "fn f() -> E { E.^ }\n")), {"One", "Two"})
        self.assertIn("par", self.labels("fn f[n: nat](a: [n]f32) -> [n]f32 { a |> map.^ }\n"))
        self.assertEqual(self.labels("// a.^\n"), {})
        self.assertEqual(self.labels('test "a ^ b" { true }\n'), {})

    def test_snippets(self):
        client = Client(ADZE, snippets=True)
        client.open("fn f[n: nat](a: [n]f32) -> f32 { a |>  }\n", URI)
        items = {i["label"]: i for i in client.at("completion", URI, 0, 38)["items"]}
        self.assertEqual(items["reduce"]["insertText"], "reduce(${1:op}, ${2:z})")
        self.assertEqual(items["reduce"]["insertTextFormat"], 2)
        self.assertEqual(client.close(), (0, ""))

    def test_signature(self):
        text = "/// Adds.\nfn add(x: f32, y: f32) -> f32 { x + y }\nfn f(z: f32) -> f32 {\n    add(z, \n}\n"
        self.open(text)
        found = self.client.at("signatureHelp", URI, 3, 11)
        self.assertEqual(found["activeParameter"], 1)
        signature = found["signatures"][0]
        self.assertEqual(signature["label"], "add(x: f32, y: f32) -> f32")
        self.assertEqual([p["label"] for p in signature["parameters"]], ["x: f32", "y: f32"])
        self.assertEqual(signature["documentation"]["value"], "Adds.")
        self.assertEqual(self.client.at("signatureHelp", URI, 3, 8)["activeParameter"], 0)
        self.assertIsNone(self.client.at("signatureHelp", URI, 2, 2))

    def test_signature_of_rule(self):
        rule = "rule r(m: nat)[n: nat, t: data](xs: [n]t) where m > 0 { reverse(xs) => reverse(xs) }\n"
        self.open(rule + "entry fn f(x: [3]f32) -> [3]f32 { x }\nschedule f { try(r(3)); }\n")
        signature = self.client.at("signatureHelp", URI, 2, 20)["signatures"][0]
        self.assertEqual(signature["label"], "r(m: nat)[n: nat, t: data](xs: [n]t)")
        self.assertEqual([p["label"] for p in signature["parameters"]], ["m: nat"])

    def test_formatting(self):
        self.open("fn f(x:f32)->f32{x}\n\n\n\nfn g() -> f32 { 1.0 }\n")
        edits = self.client.ask("textDocument/formatting", {"textDocument": {"uri": URI}, "options": {}})
        formatted = "fn f(x: f32) -> f32 {\n    x\n}\n\nfn g() -> f32 {\n    1.0\n}\n"
        text = "fn f(x:f32)->f32{x}\n\n\n\nfn g() -> f32 { 1.0 }\n"
        once = changed(text, edits)
        self.assertNotEqual(once, text)
        self.client.change(URI, 2, {"text": once})
        again = self.client.ask("textDocument/formatting", {"textDocument": {"uri": URI}, "options": {}})
        self.assertEqual(again, [])
        self.assertEqual(once.split(), formatted.split())
        self.client.change(URI, 3, {"text": "fn f( {"})
        error = self.client.refused("textDocument/formatting", {"textDocument": {"uri": URI}, "options": {}})
        self.assertEqual(error["message"], "a file with syntax errors cannot be formatted")


class Shown(Case):
    def test_diagnostics(self):
        text = "entry fn f(x: f32) -> f32 { y }\n\nentry fn g(x: i32) -> f32 { x }\n"
        self.open(text)
        found = self.client.diagnostics(URI, 1)
        self.assertEqual([(d["code"], d["severity"], d["range"]) for d in found],
                         [("E0201", 1, span(text, "y }", length=1)), ("E0301", 1, span(text, "x }", length=1))])
        self.assertTrue(found[0]["message"].startswith("nothing called `y` is in scope"))
        self.client.change(URI, 2, {"text": "struct A { x: f32 }\nstruct A { y: f32 }\n"})
        found = self.client.diagnostics(URI, 2)
        self.assertEqual(found[0]["relatedInformation"][0]["location"]["range"]["start"], {"line": 0, "character": 7})
        self.client.change(URI, 3, {"text": "entry fn f() -> f32 { f() }\n"})  # found when it is staged
        self.assertEqual(len(self.client.diagnostics(URI, 3)), 1)
        calls = "entry fn f(x: f32) -> f32 { g(x) }\nfn g(x: f32) -> f32 { h(x) }\nfn h(x: f32) -> f32 { %s }\n"
        for version, called, n in [(20, "x", 0), (21, "g(x)", 1), (22, "x + 1.0", 0), (23, "g(x)", 1)]:
            self.client.change(URI, version, {"text": calls % called})  # staged again, though f is the same
            self.assertEqual(len(self.client.diagnostics(URI, version)), n)
        self.client.change(URI, 4, {"text": "fn f( -> f32 { 1.0 }\nfn g() -> f32 { undefined }\n"})
        self.assertEqual({d["code"][:3] for d in self.client.diagnostics(URI, 4)}, {"E01"})
        warned = "enum E { One, Two }\nfn f(e: E) -> f32 {\n    match e {\n        One => 1.0,\n    }\n}\n"
        self.client.change(URI, 5, {"text": warned})
        found = self.client.diagnostics(URI, 5)
        self.assertEqual([(d["code"], d["severity"], d["range"]) for d in found], [("E0333", 2, span(warned, "One", 1))])
        self.client.change(URI, 6, {"text": TEXT})
        self.assertEqual(self.client.diagnostics(URI, 6), [])

    def test_hints(self):
        self.open(TEXT)
        found = {(h["position"]["line"], h["position"]["character"]): h["label"] for h in self.whole("inlayHint")}
        expected = {("b = a", 1): ": [n]f32", ("x| x", 1): ": f32", ("c = ", 1): ": [n]f32", ("s = c", 1): ": f32",
                    ("x, y", 1): ": f32", ("y } =", 1): ": f32", ("r) =>", 1): ": f32", ("w) =>", 1): ": f32"}
        places = {}
        for (mark, shift), label in expected.items():
            line, character = place(TEXT, mark)
            places[line, character + shift] = label
        self.assertEqual(found, places)
        one = self.client.ask("textDocument/inlayHint", {"textDocument": {"uri": URI}, "range": span(TEXT, "let c = twice(a);")})
        self.assertEqual([h["label"] for h in one], [": [n]f32"])
        written = "fn f() -> f32 { let x: f32 = 1.0; let y = |z: f32| z; y(x) }\n"
        self.client.change(URI, 2, {"text": written})
        self.assertEqual([h["label"] for h in self.whole("inlayHint")], [": fn(f32) -> f32"])

    def test_choices(self):
        """What the compiler chooses arrives when the text has not changed for a while."""
        text = "entry fn f[n: nat](a: [n]f32) -> [n]f32 {\n    let b: [n]f32 = a |> map(|x: f32| x * 2.0);\n    let c: [n]f32 = b |> scan(+, 0.0);\n    c |> map.seq(|x: f32| x + 1.0)\n}\n"
        client = Client(ADZE, choices=True)
        client.open(text, URI)
        refresh = client.wait_for(lambda m: m.get("method") == "workspace/inlayHint/refresh")
        client.send({"jsonrpc": "2.0", "id": refresh["id"], "result": None})
        everything = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
        params = {"textDocument": {"uri": URI}, "range": everything}
        hints = client.ask("textDocument/inlayHint", params)
        lines = text.split("\n")
        self.assertTrue(all(h["position"]["character"] == len(lines[h["position"]["line"]]) for h in hints))
        shown = {h["position"]["line"]: (h["label"], h["tooltip"]) for h in hints}
        self.assertEqual(shown[1], ("map.src", "map.src: computed where it is read"))
        self.assertIn("map.seq", shown[3][0])
        self.assertEqual(client.diagnostics(URI, 1), [])
        self.assertEqual(client.diagnostics(URI, 1), [])  # again, now with remarks, of which there are none
        client.change(URI, 2, {"text": "\n" + text})
        self.assertEqual(client.ask("textDocument/inlayHint", params), [])  # they would be at wrong places
        gather = "entry fn f[n, m: nat](a: [n]f32, k: [m]idx[n]) -> [m]f32 {\n    k |> map(|i: idx[n]| a[i])\n}\n"
        client.change(URI, 3, {"text": gather})
        self.assertEqual(client.diagnostics(URI, 3), [])
        found = client.diagnostics(URI, 3)
        self.assertEqual([(d["severity"], d["range"]["start"]["line"]) for d in found], [(4, 1)])
        self.assertIn("`a` is accessed at computed positions", found[0]["message"])
        self.assertEqual(client.close(), (0, ""))

    def test_actions(self):
        text = "fn total(x: f32) -> f32 { x }\nfn f() -> f32 { totl(1.0) }\nfn g[n: nat](a: [n]f32) -> f32 { mean(a) }\n"
        self.open(text)
        actions = self.whole("codeAction", context={"diagnostics": []})
        fixes = [a for a in actions if "edit" in a]
        after = [changed(text, a["edit"]["changes"][URI]) for a in fixes]
        self.assertEqual(after, [text.replace("totl", "total"), "import std.stats (mean)\n" + text])
        self.assertEqual([a["title"] for a in fixes], ["write `total`", "write `import std.stats (mean) `"])
        self.assertEqual({a["diagnostics"][0]["code"] for a in fixes}, {"E0201"})
        explained = [a["command"]["arguments"] for a in actions if "command" in a]
        self.assertEqual(explained, [[{"code": "E0201"}]] * 2)
        here = {"textDocument": {"uri": URI}, "range": span(text, "total"), "context": {"diagnostics": []}}
        self.assertEqual(self.client.ask("textDocument/codeAction", here), [])

    def test_outline(self):
        self.open(TEXT)
        params = {"textDocument": {"uri": URI}}
        found = self.client.ask("textDocument/documentSymbol", params)
        self.assertEqual([(s["name"], s["kind"]) for s in found],
                         [("twice", 12), ("P", 23), ("Shape", 10), ("main", 12), ("area", 12), ("one", 6)])
        self.assertEqual([c["name"] for c in found[1]["children"]], ["x", "y"])
        self.assertEqual(found[0]["selectionRange"], span(TEXT, "twice"))
        lenses = self.client.ask("textDocument/codeLens", params)
        self.assertEqual([(x["command"]["title"], x["command"]["command"], x["command"]["arguments"]) for x in lenses],
                         [("explain", "adze.explain", [{"uri": URI, "entry": "main"}]),
                          ("show C", "adze.showC", [{"uri": URI, "entry": "main"}]),
                          ("run test", "adze.test", [{"uri": URI, "title": "one"}])])

    def test_tokens(self):
        text = "fn f[n: nat](a: [n]f32) -> f32 {\n    let b = a; // 😀\n    b |> reduce(+, 0.0)\n}\n"
        self.open(text)
        data = self.client.ask("textDocument/semanticTokens/full", {"textDocument": {"uri": URI}})["data"]
        legend = self.client.initialized["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
        line = character = 0
        shown = []
        for i in range(0, len(data), 5):
            line += data[i]
            character = data[i + 1] + (0 if data[i] else character)
            word = text.split("\n")[line][character : character + data[i + 2]]
            shown.append((word, legend[data[i + 3]]))
        self.assertEqual([w for w, _ in shown], "f n a n f32 f32 b a b reduce".split())
        self.assertIn(("f", "function"), shown)
        self.assertIn(("n", "typeParameter"), shown)
        self.assertIn(("a", "parameter"), shown)
        self.assertIn(("reduce", "function"), shown)
        self.assertIn(("f32", "type"), shown)


class Commands(Case):
    def run_command(self, command, **argument):
        return self.client.ask("workspace/executeCommand", {"command": command, "arguments": [argument]})

    def test_commands(self):
        self.open(TEXT)
        found = self.run_command("adze.test", uri=URI, title="one")
        self.assertEqual(found, {"status": 0, "text": 'ok   /nowhere/x.adz:28 "one"\n1 passed, 0 failed\n'})
        self.client.change(URI, 2, {"text": TEXT.replace("14.0", "15.0")})
        found = self.run_command("adze.test", uri=URI)
        self.assertEqual(found["status"], 1)
        self.assertIn("0 passed, 1 failed", found["text"])
        found = self.run_command("adze.showC", uri=URI, entry="main")
        self.assertIn("int adze_main(", found["text"])
        self.assertIn("main", self.run_command("adze.explain", uri=URI, entry="main")["text"])
        self.assertEqual(self.run_command("adze.explain", uri=URI, entry="none")["status"], 1)
        self.assertTrue(self.run_command("adze.explainCode", code="E0201")["text"].startswith("E0201"))
        for params in [{"command": "adze.none"}, {"command": "adze.test", "arguments": [{"uri": "file:///none"}]},
                       {"command": "adze.explain", "arguments": [{"uri": URI}]}, {"command": 3}, {}, None, []]:
            self.assertEqual(self.client.refused("workspace/executeCommand", params)["code"], -32602)

    def test_cancelled(self):
        self.open(FOREVER)
        self.client.diagnostics(URI, 1)
        number = self.client.request("workspace/executeCommand", {"command": "adze.test", "arguments": [{"uri": URI}]})
        self.assertIsNotNone(self.client.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}}))
        self.client.tell("$/cancelRequest", {"id": number})
        self.assertEqual(self.client.answer(number)["error"]["code"], -32800)

    def test_ends_with_the_server(self):
        # interpreted in a child of the server; with sanitizers this takes a minute, then compiled in a child of that
        for ends, processes in [("kill", 2), ("terminate", 1), ("exit", 1)]:
            client = Client(ADZE)
            client.open(FOREVER, URI)
            client.request("workspace/executeCommand", {"command": "adze.test", "arguments": [{"uri": URI}]})
            end = time.monotonic() + 400
            while len(running(children := descendants(client.process.pid))) < processes and time.monotonic() < end:
                time.sleep(0.01)
            self.assertGreaterEqual(len(children), processes)
            if ends == "exit":
                client.tell("exit", None)
            else:
                getattr(client.process, ends)()
            client.end()
            end = time.monotonic() + 20
            while time.monotonic() < end and any(is_running(pid) for pid in children):
                time.sleep(0.02)
            self.assertFalse(any(is_running(pid) for pid in children), ends)


class Programs(Case):
    def test_renaming_keeps_programs(self):
        """After renaming any name, a program has no errors, or renaming is refused."""
        rng = random.Random(1)
        folder = pathlib.Path(__file__).resolve().parent.parent / "field"
        count = 0
        for path in rng.sample(sorted(folder.glob("*.adz")), 6):
            text = path.read_text()
            uri = self.open(text, f"file://{path}")
            self.assertEqual([d for d in self.client.diagnostics(uri, 1) if d["severity"] == 1], [])
            data = self.client.ask("textDocument/semanticTokens/full", {"textDocument": {"uri": uri}})["data"]
            line = character = 0
            places = []
            for i in range(0, len(data), 5):
                line, character = line + data[i], data[i + 1] + (0 if data[i] else character)
                places.append({"line": line, "character": character})
            for version, position in enumerate(rng.sample(places, 4)):
                params = {"textDocument": {"uri": uri}, "position": position, "newName": "zz_q"}
                answer = self.client.answer(self.client.request("textDocument/rename", params))
                if "error" in answer:
                    continue
                count += 1
                self.client.change(uri, 10 + version, {"text": changed(text, answer["result"]["changes"][uri])})
                found = self.client.diagnostics(uri, 10 + version)
                self.assertEqual([d for d in found if d["severity"] == 1], [], (path.name, position))
                self.client.change(uri, 50 + version, {"text": text})
        self.assertGreater(count, 10)


class Fixes(Case):
    def test_fixes_of_all_errors(self):
        """Each proposed edit removes the error that proposes it."""
        count = 0
        folder = pathlib.Path(__file__).resolve().parent.parent / "errors"
        fixed = "E0104 E0112 E0120 E0201 E0205 E0301 E0304 E0333 E0335 E0814 E0820".split()
        for path in sorted(p for code in fixed for p in folder.glob(code + "*.adz")):
            text = path.read_text(errors="replace")
            if not text.isascii():
                continue
            uri = self.open(text, f"file://{path}")
            before = self.client.diagnostics(uri, 1)
            actions = [a for a in self.whole("codeAction", uri) if "edit" in a] if before else []
            for version, action in enumerate(actions, 2):
                self.client.change(uri, version, {"text": changed(text, action["edit"]["changes"][uri])})
                after = self.client.diagnostics(uri, version)
                gone = action["diagnostics"][0]
                self.assertNotIn((gone["code"], gone["message"]), [(d["code"], d["message"]) for d in after], path.name)
                count += 1
            self.client.tell("textDocument/didClose", {"textDocument": {"uri": self.uris.pop()}})
        self.assertGreater(count, 25)


if __name__ == "__main__":
    unittest.main()
