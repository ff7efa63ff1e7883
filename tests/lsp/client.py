"""A client of the language server: JSON-RPC over the pipes of a process."""

import itertools
import json
import os
import select
import subprocess
import time


class Client:
    """A server in a process of its own. `opening` are options of `initialize`."""

    def __init__(self, adze, encoding=None, snippets=False, start=True, choices=False):
        self.process = subprocess.Popen(
            [adze, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.buffer = b""
        self.ids = itertools.count(1)
        self.messages = []
        if start:
            general = {"positionEncodings": [encoding]} if encoding else {}
            item = {"completionItem": {"snippetSupport": snippets}}
            refresh = {"inlayHint": {"refreshSupport": choices}}
            capabilities = {"general": general, "textDocument": {"completion": item}, "workspace": refresh}
            params = {"processId": os.getpid(), "rootUri": None, "capabilities": capabilities}
            self.initialized = self.ask("initialize", {**params, "initializationOptions": {"choices": choices}})
            self.tell("initialized", {})

    # messages

    def send_raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps(message).encode()
        self.send_raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def tell(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method, params):
        number = next(self.ids)
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    def _take(self):
        head, found, rest = self.buffer.partition(b"\r\n\r\n")
        if not found:
            return None
        length = int(head.split(b":")[1])
        if len(rest) < length:
            return None
        self.buffer = rest[length:]
        return json.loads(rest[:length])

    def read(self, timeout=60):
        """The next message, or None at the end of the output."""
        end = time.monotonic() + timeout
        while True:
            message = self._take()
            if message is not None:
                return message
            if not select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("the server says nothing")
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                return None
            self.buffer += data

    def wait_for(self, matches):
        """The first message that matches, also among those that came before."""
        for i, message in enumerate(self.messages):
            if matches(message):
                return self.messages.pop(i)
        while True:
            message = self.read()
            if message is None:
                raise EOFError(self.process.stderr.read().decode())
            if matches(message):
                return message
            self.messages.append(message)

    def answer(self, number):
        return self.wait_for(lambda m: m.get("id") == number and "method" not in m)

    def ask(self, method, params):
        """The result of a request."""
        message = self.answer(self.request(method, params))
        if "error" in message:
            raise RuntimeError(message["error"])
        return message["result"]

    def refused(self, method, params):
        """The error of a request."""
        return self.answer(self.request(method, params))["error"]

    # documents

    def open(self, text, uri="file:///nowhere/x.adz", version=1):
        document = {"uri": uri, "languageId": "adze", "version": version, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return uri

    def change(self, uri, version, *changes):
        document = {"uri": uri, "version": version}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})

    def diagnostics(self, uri, version):
        """The diagnostics of this version of a document."""
        method = "textDocument/publishDiagnostics"

        def matches(m):
            if m.get("method") != method:
                return False
            return m["params"]["uri"] == uri and m["params"].get("version") == version

        return self.wait_for(matches)["params"]["diagnostics"]

    def at(self, method, uri, line, character, **more):
        place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
        return self.ask("textDocument/" + method, {**place, **more})

    # the end

    def close(self):
        """Shuts the server down. Returns its exit status, and what it wrote to standard error."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.end()

    def end(self):
        self.process.stdin.close()
        errors = self.process.stderr.read().decode()
        self.process.stderr.close()
        self.process.stdout.close()
        return self.process.wait(timeout=60), errors
