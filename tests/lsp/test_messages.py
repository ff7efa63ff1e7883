"""The protocol below the features: messages, positions, changes, and what nobody should send."""

import json
import os
import pathlib
import random
import unittest

from checked import Client

ADZE = os.environ["ADZE"]
URI = "file:///nowhere/x.adz"
PROGRAM = """\
struct P { x: f32, y: f32 }

/// A sum, écrit en français 😀.
entry fn main[n: nat](a: [n]f32, p: P) -> f32 {
    let s = a |> map(|x| x * p.x) |> reduce(+, 0.0); // 😀 here
    s + p.y
}

test "😀" { main([1.0], P { x: 1.0, y: 2.0 }) == 3.0 }
"""
REQUESTS = ["hover", "definition", "references", "documentHighlight", "prepareRename", "rename", "completion",
            "signatureHelp", "formatting", "inlayHint", "codeAction", "codeLens", "documentSymbol",
            "semanticTokens/full"]


class Messages(unittest.TestCase):
    def start(self, **more):
        client = Client(ADZE, **more)
        self.addCleanup(client.process.kill)
        return client

    def refused(self, client, raw):
        client.send_raw(raw)
        return client.wait_for(lambda m: "error" in m and m.get("id") is None)["error"]["code"]

    def test_life(self):
        client = self.start(start=False)
        self.assertEqual(client.refused("textDocument/hover", {})["code"], -32002)
        client.tell("textDocument/didOpen", {})
        found = client.ask("initialize", {"capabilities": {}, "processId": None})
        self.assertEqual(found["serverInfo"]["name"], "adze")
        self.assertEqual(found["capabilities"]["positionEncoding"], "utf-16")
        self.assertEqual(client.refused("initialize", {})["code"], -32600)
        self.assertEqual(client.refused("textDocument/none", {})["code"], -32601)
        client.tell("$/none", {})
        client.ask("shutdown", None)
        self.assertEqual(client.refused("textDocument/hover", {})["code"], -32600)
        client.tell("exit", None)
        self.assertEqual(client.end(), (0, ""))

    def test_ends(self):
        client = self.start()
        client.tell("exit", None)
        self.assertEqual(client.end(), (1, ""))
        client = self.start()
        client.open(PROGRAM)
        self.assertEqual(client.end(), (1, ""))  # the input ends
        client = self.start(start=False)
        self.assertEqual(client.end(), (1, ""))
        client = self.start()
        client.send_raw(b"Content-Length: 1000\r\n\r\n{")
        self.assertEqual(client.end(), (1, ""))
        client = self.start()
        client.process.stdout.close()
        client.open(PROGRAM)
        self.assertEqual(client.process.wait(60), 1)  # nobody reads the answers
        client.process.stderr.close()
        client.process.stdin.close()

    def test_malformed(self):
        client = self.start()
        for body, code in [(b"{", -32700), (b"", -32700), (b"[]", -32600), (b"3", -32600), (b'{"id": 1', -32700),
                           (b'{"a": "\xff"}', -32700), (b"{}", -32600), (b'{"method": 3}', -32600),
                           (b'{"id": {}, "method": "x"}', -32600), (b"[" * 100000, -32700)]:
            raw = b"Content-Length: %d\r\n\r\n" % len(body) + body
            self.assertEqual(self.refused(client, raw), code, body[:20])
        for header in [b"\r\n\r\n", b"Content-Length: x\r\n\r\n", b"Content-Length: -5\r\n\r\n",
                       b"Content-Type: y\r\n\r\n", b"z" * 5000, b"Content-Length: 99999999999999\r\n\r\n"]:
            client = self.start()
            self.assertEqual(self.refused(client, header), -32700, header[:30])
        client = self.start()
        body = b'{"jsonrpc": "2.0", "id": "a", "method": "shutdown"}'
        client.send_raw(b"content-length: %d\nContent-Type: application/vscode-jsonrpc\n\n" % len(body) + body)
        self.assertEqual(client.wait_for(lambda m: m.get("id") == "a")["result"], None)

    def test_wrong_parameters(self):
        client = self.start()
        client.open(PROGRAM)
        document = {"textDocument": {"uri": URI}}
        for method in REQUESTS:
            for params in [None, [], 3, "x", {}, {"textDocument": 3}, {"textDocument": {"uri": 3}},
                           {"textDocument": {"uri": "file:///other"}}]:
                self.assertEqual(client.refused("textDocument/" + method, params)["code"], -32602, method)
        for method in ["hover", "definition", "rename", "completion", "signatureHelp"]:
            for position in [None, {}, [], {"line": 1}, {"line": "1", "character": 1}, {"line": 1.5, "character": 0}]:
                params = {**document, "position": position, "newName": "x"}
                self.assertEqual(client.refused("textDocument/" + method, params)["code"], -32602, method)
        for method in ["inlayHint", "codeAction"]:
            self.assertEqual(client.refused("textDocument/" + method, document)["code"], -32602)
        far = {"line": 10**9, "character": 10**9}
        for position in [far, {"line": -5, "character": -5}, {"line": 0, "character": 10**18}]:
            client.ask("textDocument/hover", {**document, "position": position})
            client.ask("textDocument/completion", {**document, "position": position})
        self.assertEqual(client.close(), (0, ""))

    def test_cancelled_requests(self):
        client = self.start()
        client.open(PROGRAM)
        place = {"textDocument": {"uri": URI}, "position": {"line": 4, "character": 8}}
        raw = b""
        for number in range(1000, 1005):  # in one piece, so that all wait when they are cancelled
            for message in [{"jsonrpc": "2.0", "id": number, "method": "textDocument/hover", "params": place},
                            {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": number}}]:
                body = json.dumps(message).encode()
                raw += b"Content-Length: %d\r\n\r\n" % len(body) + body
        client.send_raw(raw)
        for number in range(1000, 1005):
            answer = client.answer(number)
            self.assertTrue("result" in answer or answer["error"]["code"] == -32800)
        client.tell("$/cancelRequest", {"id": 99999})
        client.tell("$/cancelRequest", None)
        self.assertEqual(client.close(), (0, ""))

    def test_positions(self):
        line = PROGRAM.split("\n")[8]
        for encoding, units in [("utf-16", lambda s: len(s.encode("utf-16-le")) // 2),
                                ("utf-8", lambda s: len(s.encode())), ("utf-32", None)]:
            client = self.start(encoding=encoding)
            chosen = client.initialized["capabilities"]["positionEncoding"]
            self.assertEqual(chosen, encoding if units else "utf-16")
            if units:
                client.open(PROGRAM)
                found = client.at("hover", URI, 8, units(line[: line.index("main")]) + 1)
                expected = {"start": {"line": 8, "character": units(line[: line.index("main")])},
                            "end": {"line": 8, "character": units(line[: line.index("main") + 4])}}
                self.assertEqual(found["range"], expected)
            self.assertEqual(client.close(), (0, ""))

    def test_changes(self):
        """The text of the server follows that of the client; formatting shows it."""
        rng = random.Random(1)
        client = self.start()
        text = "// aé😀\r\nfn f() -> f32 { 1.0 }\n"
        client.open(text)

        def position(offset):
            before = text[:offset]
            start = before.rfind("\n") + 1
            return {"line": before.count("\n"), "character": len(before[start:].encode("utf-16-le")) // 2}

        for version in range(2, 40):
            changes = []
            for _ in range(rng.randrange(1, 4)):
                lo = rng.randrange(len(text) + 1)
                hi = min(len(text), lo + rng.choice([0, 0, 1, 5]))
                if "\r" in text[max(0, lo - 1) : hi + 1]:
                    lo = hi = len(text)
                new = rng.choice(["é", "😀", "\n", "x", " ", "// \n", "y y"])
                changes.append({"range": {"start": position(lo), "end": position(hi)}, "text": new})
                text = text[:lo] + new + text[hi:]
            client.change(URI, version, *changes)
        client.change(URI, 100, {"range": {"start": position(0), "end": position(0)}, "text": "fn  f() -> f32 { 1.0 }\n"})
        text = "fn  f() -> f32 { 1.0 }\n" + text
        last = position(len(text))
        client.change(URI, 101, {"range": {"start": {"line": 1, "character": 0}, "end": last}, "text": "fn g() -> f32 { 2.0 }\n"})
        found = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
        self.assertEqual([(s["name"], s["range"]["start"]["line"]) for s in found], [("f", 0), ("g", 1)])
        client.change(URI, 102, {"range": None, "text": "fn h() -> f32 { 1.0 }"}, {"text": 3}, {"text": "lost"})
        found = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
        self.assertEqual([s["name"] for s in found], ["h"])
        self.assertEqual(client.close(), (0, ""))

    def test_documents(self):
        client = self.start()
        client.open("", "untitled:Untitled-1")
        self.assertEqual(client.diagnostics("untitled:Untitled-1", 1), [])
        client.change("untitled:Untitled-1", 2, {"text": "test \"t\" { 1 == 1 }\n"})
        command = {"command": "adze.test", "arguments": [{"uri": "untitled:Untitled-1"}]}
        self.assertEqual(client.ask("workspace/executeCommand", command)["status"], 0)
        odd = "file:///no%20where/%C3%A9.adz"
        client.open("fn f() -> f32 { x }\0", odd)
        self.assertEqual({d["code"] for d in client.diagnostics(odd, 1)} >= {"E0101"}, True)
        client.tell("textDocument/didClose", {"textDocument": {"uri": odd}})
        self.assertEqual(client.diagnostics(odd, 1), [])
        huge = "// " + "x" * 1000 + "\n"
        client.open(huge * 2000 + "fn f() -> f32 { x }\n", URI)
        self.assertEqual([d["range"]["start"]["line"] for d in client.diagnostics(URI, 1)], [2000])
        deep = "fn f() -> f32 { " + "(" * 20000 + "1.0" + ")" * 20000 + " }\n"
        client.change(URI, 2, {"text": deep})
        self.assertEqual([d["code"] for d in client.diagnostics(URI, 2)], ["E0108"])
        long = "fn f() -> f32 { " + " + ".join(["1.0"] * 400) + " }\n"
        client.change(URI, 3, {"text": long})
        self.assertEqual(client.diagnostics(URI, 3), [])
        client.change(URI, 4, {"text": "fn f() -> f32 { " + "{" * 5000})
        self.assertNotEqual(client.diagnostics(URI, 4), [])
        self.assertEqual(client.close(), (0, ""))


class Random(unittest.TestCase):
    """Random edits of programs and random messages: each request is answered, and the server ends well."""

    def pieces(self, text):
        return [text[i : i + 7] for i in range(0, len(text), 11)] + ["(", ")", "{", "}", "[", "]", "|>", ".", "|", "let ",
                                                                      "\n", '"', "é", "😀", "\0", "fn ", ": ", "match "]

    def junk(self, rng):
        return rng.choice([None, 3, -1, "x", [], {}, {"line": 1}, True, 1e300, [[]], {"uri": URI}])

    def params(self, rng, lines):
        where = {"line": rng.randrange(lines + 2), "character": rng.randrange(90)}
        params = {"textDocument": {"uri": URI}, "position": where, "newName": rng.choice(["zz", "é", "", "let"]),
                  "range": {"start": {"line": 0, "character": 0}, "end": where}, "context": {"diagnostics": []}}
        for _ in range(rng.choice([0, 0, 0, 1, 2])):
            params[rng.choice(list(params))] = self.junk(rng)
        return rng.choice([params] * 9 + [self.junk(rng)])

    def edit(self, rng, client, version, lines, pieces):
        start = {"line": rng.randrange(lines), "character": rng.randrange(60)}
        end = {"line": start["line"] + rng.choice([0, 0, 0, 1]), "character": start["character"] + rng.randrange(9)}
        text = "".join(rng.choice(pieces) for _ in range(rng.randrange(3)))
        client.change(URI, version, {"range": {"start": start, "end": end}, "text": text})

    def test_random(self):
        rng = random.Random(int(os.environ.get("SEED", "1")))
        folder = pathlib.Path(__file__).resolve().parent.parent
        programs = sorted(folder.glob("field/*.adz")) + sorted(folder.glob("errors/*.adz"))
        client = Client(ADZE)
        self.addCleanup(client.process.kill)
        client.open("")
        version = 1
        for _ in range(int(os.environ.get("ROUNDS", "25"))):
            text = rng.choice(programs).read_text(errors="replace")
            lines, pieces = text.count("\n") + 1, self.pieces(text)
            version += 1
            client.change(URI, version, {"text": text})
            waiting = []
            for _ in range(rng.randrange(2, 10)):
                version += 1
                self.edit(rng, client, version, lines, pieces)
                if rng.random() < 0.1:
                    client.tell(rng.choice(["textDocument/didChange", "textDocument/didOpen", "x", "$/y"]), self.junk(rng))
                method = "textDocument/" + rng.choice(REQUESTS)
                waiting.append(client.request(method, self.params(rng, lines)))
                if rng.random() < 0.1:
                    client.tell("$/cancelRequest", {"id": waiting[-1]})
            for number in waiting:
                client.answer(number)
        self.assertEqual(client.close(), (0, ""))


if __name__ == "__main__":
    unittest.main()
