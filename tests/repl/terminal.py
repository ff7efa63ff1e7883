#!/usr/bin/env python3
"""terminal.py ADZE: what needs a terminal or time: editing, history, completion and interrupts of `adze repl`, and
`adze watch` with files that change."""
import os
import pathlib
import pty
import random
import select
import signal
import subprocess
import sys
import time

LIMIT = 60  # seconds within which anything must be printed
SUPPRESSED = pathlib.Path("suppressed").resolve()  # what sanitizers do not report
SUPPRESSED.write_text("leak:wcsdup\n")  # libedit does not free the names of functions for keys


class Failed(Exception):
    pass


class Process:
    """A program, on a terminal of its own or with its output in a pipe, whose output is awaited."""

    def __init__(self, *args, terminal=True, **env):
        self.seen = b""
        env = {**os.environ, "TERM": "xterm", "LSAN_OPTIONS": f"suppressions={SUPPRESSED}:print_suppressions=0", **env}
        if terminal:
            self.pid, self.file = pty.fork()
            if self.pid == 0:
                os.execve(args[0], args, env)
        else:
            self.file, end = os.pipe()
            self.pid = subprocess.Popen(args, stdout=end, stderr=end, stdin=subprocess.DEVNULL, env=env).pid
            os.close(end)

    def send(self, text):
        os.write(self.file, text.encode())

    def expect(self, text):
        """Waits for a text; returns the output up to it."""
        end = time.monotonic() + LIMIT
        while text.encode() not in self.seen:
            ready, _, _ = select.select([self.file], [], [], max(0, end - time.monotonic()))
            try:
                more = os.read(self.file, 4096) if ready else b""
            except OSError:  # the terminal is closed
                more = b""
            if not more:
                raise Failed(f"no {text!r} after {self.seen!r}")
            self.seen += more
        before, _, self.seen = self.seen.partition(text.encode())
        return before.decode(errors="replace")

    def end(self):
        """The exit status, or minus the signal that ended the program."""
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.01)
        os.kill(self.pid, signal.SIGKILL)
        raise Failed("it does not end")


def same(got, wanted):
    if got != wanted:
        raise Failed(f"{got!r} instead of {wanted!r}")


def has_editor(adze):
    """Whether the program is built with a line editor."""
    return "libedit" in subprocess.run(["ldd", adze], capture_output=True, text=True, check=False).stdout


def open_session(adze, state, **env):
    p = Process(adze, "repl", XDG_STATE_HOME=str(state), HOME=str(state), **env)
    p.expect("adze> ")
    return p


def test_editing(adze, state):
    if not has_editor(adze):
        return
    p = open_session(adze, state)
    p.send("let length_of_all = 1 +\n")
    p.expect("  ... ")
    p.send("2\n")
    p.expect("length_of_all: i32")
    p.expect("adze> ")
    p.send("length_\t * 100\n")  # completed
    p.expect("300")
    p.expect("adze> ")
    p.send("fn f(x: i32) -> i32 {\n")
    p.expect("  ... ")
    p.send("\x03")  # drops the input
    p.expect("adze> ")
    p.send("an unfinished line\x03")
    p.expect("adze> ")
    p.send("\x1b[A\x1b[A\n")  # up to the line before the last
    p.expect("300")
    p.expect("adze> ")
    p.send("\x04")
    same(p.end(), 0)
    p = open_session(adze, state)  # the history is that of the session before
    p.send("length_of_all\x1b[A\n")
    p.expect("adze> ")
    p.send(":quit\n")
    same(p.end(), 0)
    same("length_of_all * 100" in (state / "adze" / "history").read_text().replace("\\040", " "), True)


ENDLESS = "{ let mut k = 0i64; while k >= 0 { k = (k + 1) % 1000; } k }"


def test_interrupt(adze, state):
    p = open_session(adze, state)
    p.send("let kept = 12\n")
    p.expect("kept: i32")
    p.expect("adze> ")
    p.send(ENDLESS + "\n")
    p.expect("computing")  # it runs for a second
    p.send("\x03")
    p.expect("interrupted")
    p.expect("adze> ")
    p.send("kept * 10\n")
    p.expect("120")
    p.expect("adze> ")
    p.send("\x04")
    same(p.end(), 0)


def test_ended(adze, state):
    """A signal that ends the session ends what it computes, too."""
    p = open_session(adze, state)
    p.send(ENDLESS + "\n")
    p.expect("computing")
    os.kill(p.pid, signal.SIGTERM)
    same(p.end(), -signal.SIGTERM)


def test_pictures(adze, state):
    for env, begin in (({"TERM": "xterm-kitty"}, "\x1b_Ga=T,f=100,m=0;iVBOR"), ({"TERM_PROGRAM": "iTerm.app"}, "\x1b]1337;File=inline=1")):
        p = open_session(adze, state, **env)
        p.send(":show [[0u8, 255u8], [128u8, 64u8]]\n")
        p.expect(begin)
        p.send(":quit\n")
        same(p.end(), 0)


def mapped(pid):
    """The bytes of a process that are values."""
    total = 0
    with open(f"/proc/{pid}/maps", encoding="ascii") as maps:
        for line in maps:
            if "memfd:adze" in line:
                low, high = (int(x, 16) for x in line.split()[0].split("-"))
                total += high - low
    return total


def test_memory(adze, state):
    """A value that is replaced or forgotten is freed."""
    p = open_session(adze, state)
    for i in range(4):
        p.send(f"let big = generate(1000000, |i| f64(i) + {i}.0)\n")
        p.expect("big: [1000000]f64")
        p.expect("adze> ")
        same(mapped(p.pid) < 9e6, True)
    p.send(":forget big\n")
    p.expect("adze> ")
    same(mapped(p.pid), 0)
    p.send(":quit\n")
    same(p.end(), 0)


def test_random(adze, _state):
    """Whatever the inputs are, the session goes on to the end."""
    pieces = ["let ", "x", " = ", "(", ")", "{ ", " }", "[", "]", "; ", "fn f", "f", ", ", "1", "2.5", " + ", ": ", "i32", "|", "mut ",
              "struct S ", "\"", "&", "import std.math", ":type ", ":load ", ":forget ", ":doc ", ":list", "map", " |> ", "é", "\0", "\xff"]
    choice = random.Random(11)
    lines = ["".join(choice.choices(pieces, k=choice.randrange(1, 12))) for _ in range(60)]
    done = subprocess.run([adze, "repl"], input="\n".join([*lines, ")", "40 + 2", ""]).encode("latin-1"), capture_output=True, timeout=LIMIT, check=False)
    same(done.returncode in (0, 1), True)
    same(done.stdout.rstrip().endswith(b"42"), True)
    same(b"Sanitizer" in done.stderr or b"E0901" in done.stderr or b"signal" in done.stderr, False)


def write(path, text):
    """Replaces a file as many editors do: it vanishes for a moment."""
    path.unlink(missing_ok=True)
    new = path.with_suffix(".new")
    new.write_text(text)
    new.rename(path)


def test_utf8(adze, state):
    if not has_editor(adze):
        return
    p = Process(adze, "repl", XDG_STATE_HOME=str(state), LC_ALL="C")
    p.expect("adze> ")
    p.send('"\u00e9"\r')
    p.expect("[195, 169]")
    p.expect("adze> ")
    p.send("\x04")
    same(p.end(), 0)


def test_watch(adze, state):
    main, part = state / "main.adz", state / "part.adz"
    write(main, 'import part\ntest "t" { h(1) == 2 }\n')
    write(part, "fn h(x: i32) -> i32 { x * 2 }\n")
    p = Process(adze, "watch", "test", str(main), terminal=False)
    for text, wanted in (("x * 2", "1 passed"), ("x * 3", "1 failed"), ("x * ", "E01"), ("x + x", "1 passed")):
        write(part, f"fn h(x: i32) -> i32 {{ {text} }}\n")
        p.expect(wanted)
        p.expect("waiting for changes")
    part.unlink()
    p.expect("there is no module `part`")
    p.expect("waiting for changes")
    write(part, "fn h(x: i32) -> i32 { x * 2 }\n")
    p.expect("1 passed")
    p.expect("waiting for changes")
    os.kill(p.pid, signal.SIGINT)
    same(p.end(), 130)


def test_watch_run(adze, state):
    """A change ends the command that still runs; data files count, too."""
    main, data = state / "loop.adz", state / "x.csv"
    write(main, f"fn f(x: i64) -> i64 {{ x + {ENDLESS} }}\n")
    write(data, "1\n2\n")
    p = Process(adze, "watch", "run", str(main), f'(|x: [2]f64| f(i64(x[0])))(load("{data}"))', terminal=False)
    p.expect("adze run")
    write(main, "fn f(x: i64) -> i64 { x + 41 }\n")
    p.expect("\n42\n")
    p.expect("waiting for changes")
    write(data, "2\n3\n")
    p.expect("\n43\n")
    p.expect("waiting for changes")
    os.kill(p.pid, signal.SIGTERM)
    same(p.end(), 128 + signal.SIGTERM)


def test_watch_doc(adze, state):
    main = state / "main.adz"
    write(main, "/// One.\nconst one: nat = 1\n")
    p = Process(adze, "watch", "doc", str(main), "--missing", terminal=False)
    p.expect("status 0")
    write(main, "const one: nat = 1\n")
    p.expect("const one has no comment")
    p.expect("status 1")
    os.kill(p.pid, signal.SIGINT)
    same(p.end(), 130)


def test_watch_usage(adze, _state):
    for args in (["watch"], ["watch", "repl"], ["watch", "rum", "x.adz"], ["watch", "run", "--nothing"], ["watch", "--nothing"]):
        same(subprocess.run([adze, *args], capture_output=True, stdin=subprocess.DEVNULL, check=False).returncode, 2)


def main():
    adze, failed = sys.argv[1], 0
    for name, test in list(globals().items()):
        if not name.startswith("test_"):
            continue
        state = pathlib.Path(name).resolve()
        state.mkdir()
        try:
            test(adze, state)
        except Failed as why:
            failed += 1
            print(f"FAILED: {name}: {why}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
