# check.py ADZE PAGE PROGRAM [OPTION..]: checks a page that `adze explain PROGRAM --html OPTION..` wrote: its markup, its
# size, and its data, which must be what `adze explain` prints. Prints what is wrong; the exit status is 1 then.
import json
import os
import re
import subprocess
import sys

import page

adze, path, program, *options = sys.argv[1:]
wrong = []


def check(holds, what):
    if not holds:
        wrong.append(what)
    return holds


def explain(*arguments):
    run = subprocess.run([adze, "explain", program, *arguments, *options], capture_output=True, text=True, check=True)
    return run.stdout


with open(path, encoding="utf-8") as file:
    text = file.read()
with open(program, encoding="utf-8") as file:
    source = file.read().splitlines()

# --- the page ---
check(os.path.getsize(path) <= page.MOST, f"{os.path.getsize(path)} bytes are too many")
markup = page.Markup()
markup.feed(text)
wrong += markup.finish()
data = page.data_of(text)
check([tag for tag, _ in markup.tags].count("script") == 2, "a script of the program is one of the page")
fixed = text.replace(text[text.index('id="data">'):text.index("</script>")], "")
check(not page.outside(fixed), f"refers to {page.outside(fixed)}")

# --- the source and its links ---
own = page.text_of(data, data["source"])
check(own is None or own == source, "the source differs")
for line, column, inlay in data["inlays"]:
    check(1 <= line <= len(source) and 1 <= column <= len(source[line - 1]) + 1 and inlay, f"an inlay at {line}:{column}")
for line in data["lines"]:
    check(all(1 <= at <= len(source) for at in line[1:]), f"a line comes from {line[1:]}")
    check(not any(c in line[0] for c in "\1\2\3"), f"a mark is left: {line[0]!r}")


# --- the entries ---
def unnumbered(text):
    return re.sub(r"(?<=[a-z_])\d+", "", text).split()


# Texts are the same but for the numbers in names, which go on from entry to entry of a page; lines may then break
# elsewhere.
def same(shown, printed, entry):
    shown, printed = "\n".join(shown).rstrip("\n"), printed.rstrip("\n")
    if entry is data["entries"][0]:
        return shown == printed
    return unnumbered(shown) == unnumbered(printed)


def check_stages(entry):
    known = 0
    for stage, pieces in entry["stages"].items():
        shown = page.lines_of(data, pieces)
        if shown is None:
            continue
        known += 1
        printed = explain(entry["name"], "--stage", stage)
        check(same([line[0] for line in shown], printed, entry), f"{entry['name']}: the stage {stage} differs")
        if stage in ("core", "loop", "c"):
            check(any(len(line) > 1 for line in shown), f"{entry['name']}: no line of {stage} has a source line")
    check(known >= 2, f"{entry['name']}: there is no room for two stages")


def check_passes(entry):
    before = None
    for p in entry["passes"]:
        if p["to"] != "loop":
            continue
        after = before if "text" not in p else page.text_of(data, p["text"])
        if p["name"] in ("simplify", "vectorise", "plan_memory") and after is not None:
            printed = explain(entry["name"], "--print-after", p["name"])
            check(same(after, printed, entry), f"{entry['name']}: the result of {p['name']} differs")
        before = after


def check_schedule(entry):
    schedule = entry["schedule"]
    last = explain(entry["name"], "--trace").rstrip("\n").split("\n")[-1].split()
    if last[1] != "steps,":
        check(not schedule["rules"], f"{entry['name']}: rules without a schedule")
        return
    steps = [s for s in schedule["steps"] if not s["covers"]]
    check(schedule["step_count"] > len(schedule["steps"]) or steps or last[0] == "0", f"{entry['name']}: no steps")
    check(sum(r["tried"] for r in schedule["rules"]) <= int(last[2]), f"{entry['name']}: {last[2]} rules were tried")
    check(sum(r["applied"] for r in schedule["rules"]) <= sum(r["tried"] for r in schedule["rules"]), "more applied than tried")
    names = {r["name"] for r in schedule["rules"] if r["applied"]}
    check(not steps or names, f"{entry['name']}: steps, but no rule was applied")


# The value of a size, as the script of the page computes it.
def value(size, numbers):
    if isinstance(size, (int, str)):
        return size if isinstance(size, int) else numbers[size]
    operator, *rest = size
    v = [value(x, numbers) for x in rest]
    if operator == "+":
        return sum(v)
    if operator == "*":
        product = 1
        for x in v:
            product *= x
        return product
    return {"/": lambda a, b: a // b, "%": lambda a, b: a % b, "min": min, "max": max, "pow": pow}[operator](*v)


def check_memory(entry):
    numbers = {name: 40 + 7 * i for i, name in enumerate(entry["sizes"])}
    given = [f"--size={name}={n}" for name, n in numbers.items()]
    if entry["threads"] and entry is data["entries"][0]:
        given.append(f"--size={entry['threads']}=3")
    report = json.loads(explain(entry["name"], "--json", *given))["entries"][0]
    numbers[entry["threads"]] = 3
    main = entry["plan"][0]
    totals = {"inputs": ["input"], "results": ["result"]}
    for total, spaces in totals.items():
        if "bytes" in report["memory"][total]:
            sum_of = sum(value(b["bytes"], numbers) for b in main["buffers"] if b["space"] in spaces)
            check(sum_of == report["memory"][total]["bytes"], f"{entry['name']}: {total} of {sum_of} bytes")
    workspace = value(main["workspace"], numbers)
    counted = report["memory"]["workspace"].get("bytes", workspace)
    check(workspace == counted, f"{entry['name']}: a workspace of {workspace} bytes, not {counted}")
    for b in main["buffers"]:
        if b["space"] == "workspace":
            copies = numbers[entry["threads"]] + 1 if b.get("each_thread") else 1
            end = value(b["at"], numbers) + copies * value(b["bytes"], numbers)
            check(0 <= b["from"] <= b["to"] and end <= workspace, f"{entry['name']}: {b['name']} ends at {end} of {workspace}")
    choices = [[unnumbered(c["what"] + " " + c["why"]) for c in of["choices"]] for of in (entry, report)]
    check(choices[0] == choices[1], f"{entry['name']}: other choices")


for entry in data["entries"]:
    check_stages(entry)
    check_passes(entry)
    check_schedule(entry)
    check_memory(entry)
check(data["entries"], "no entries")

print("\n".join(wrong[:20]))
sys.exit(1 if wrong else 0)
