#!/usr/bin/env python3
"""replay.py ADZE [TIMES]: what the language server costs.

Replays session.json, edits that were typed in program.adz, and measures from each edit to the diagnostics of
the text after it, on the clock and as computing time of the server. An edit is [line, character, end line, end character, text].
"""

import json
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests/lsp"))
from client import Client  # noqa: E402


def cpu(pid):
    """The seconds that a process has computed."""
    threads = pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(t.read_text().split()[0]) for t in threads) / 1e9


def shown(seconds):
    parts = {"median": 0.5, "p90": 0.9, "p99": 0.99, "most": 1}
    seconds = sorted(seconds)
    return ", ".join(f"{k} {1000 * seconds[min(int(p * len(seconds)), len(seconds) - 1)]:.1f} ms" for k, p in parts.items())


def replay(adze, text, edits):
    """For each edit the seconds that it takes and that the server computes, and the server's memory afterwards in MB."""
    client = Client(adze)
    uri = client.open(text, f"file://{HERE}/program.adz")
    client.diagnostics(uri, 1)
    seconds, computed = [], []
    for version, (line, character, end_line, end_character, new) in enumerate(edits, 2):
        start = {"line": line, "character": character}
        end = {"line": end_line, "character": end_character}
        before, used = time.perf_counter(), cpu(client.process.pid)
        client.change(uri, version, {"range": {"start": start, "end": end}, "text": new})
        client.diagnostics(uri, version)
        seconds.append(time.perf_counter() - before)
        computed.append(cpu(client.process.pid) - used)
    status = pathlib.Path(f"/proc/{client.process.pid}/status").read_text()
    memory = int(status.split("VmRSS:")[1].split()[0]) / 1024
    client.close()
    return seconds, computed, memory


def main():
    text = (HERE / "program.adz").read_text()
    edits = json.loads((HERE / "session.json").read_text())
    times = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for _ in range(times):
        seconds, computed, memory = replay(sys.argv[1], text, edits)
        print(f"{len(edits)} edits of {text.count(chr(10))} lines: {shown(seconds)}; computing: {shown(computed)}; {memory:.0f} MB")


main()
