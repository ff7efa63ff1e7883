#!/usr/bin/env python3
"""replay.py ADZE [TIMES]: what the language server costs.

Replays session.json, edits that were typed in program.adz, and measures from each edit to the diagnostics of
the text after it. An edit is [line, character, end line, end character, text].
"""

import json
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests/lsp"))
from client import Client  # noqa: E402


def replay(adze, text, edits):
    """The seconds that each edit takes, and the memory of the server afterwards in MB."""
    client = Client(adze)
    uri = client.open(text, f"file://{HERE}/program.adz")
    client.diagnostics(uri, 1)
    seconds = []
    for version, (line, character, end_line, end_character, new) in enumerate(edits, 2):
        start = {"line": line, "character": character}
        end = {"line": end_line, "character": end_character}
        before = time.perf_counter()
        client.change(uri, version, {"range": {"start": start, "end": end}, "text": new})
        client.diagnostics(uri, version)
        seconds.append(time.perf_counter() - before)
    status = pathlib.Path(f"/proc/{client.process.pid}/status").read_text()
    memory = int(status.split("VmRSS:")[1].split()[0]) / 1024
    client.close()
    return seconds, memory


def main():
    text = (HERE / "program.adz").read_text()
    edits = json.loads((HERE / "session.json").read_text())
    times = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for _ in range(times):
        seconds, memory = replay(sys.argv[1], text, edits)
        seconds.sort()
        parts = {"median": 0.5, "p90": 0.9, "p99": 0.99, "most": 1}
        shown = [f"{k} {1000 * seconds[min(int(p * len(seconds)), len(seconds) - 1)]:.1f} ms" for k, p in parts.items()]
        print(f"{len(edits)} edits of {text.count(chr(10))} lines: {', '.join(shown)}; {memory:.0f} MB")


main()
