# browser.py CHROMIUM PAGE [PICTURE]: opens a page of `adze explain --html` in a headless Chromium, and uses it: every view of every entry,
# lines by mouse and keyboard, sizes, light and dark. PICTURE is the beginning of the names of screenshots. Prints what
# is wrong; the exit status is 1 then.
import base64
import json
import os
import subprocess
import sys
import tempfile
import time

chromium, path = sys.argv[1:3]
picture = sys.argv[3] if len(sys.argv) > 3 else None
wrong = []


def check(holds, what):
    if not holds:
        wrong.append(what)


class Browser:
    """The DevTools protocol over a pair of pipes: messages in JSON, each followed by a zero byte."""

    def __init__(self, profile):
        to_read, self.to = os.pipe()
        self.of, of_write = os.pipe()
        # the browser reads from descriptor 3 and writes to 4
        shell = 'exec 3<&%d 4>&%d; exec "$@"' % (to_read, of_write)
        self.process = subprocess.Popen(
            ["bash", "-c", shell, "bash", chromium, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--no-first-run", "--disable-background-networking", f"--user-data-dir={profile}", "--window-size=1500,950"],
            pass_fds=(to_read, of_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(of_write)
        self.buffer, self.number, self.session, self.events = b"", 0, None, []

    def message(self):
        while b"\0" not in self.buffer:
            part = os.read(self.of, 1 << 20)
            if not part:
                raise RuntimeError("the browser ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to, json.dumps(request).encode() + b"\0")
        while True:
            m = self.message()
            if m.get("id") == self.number:
                if "error" in m:
                    raise RuntimeError(f"{method}: {m['error']}")
                return m["result"]
            self.events.append(m)

    def open(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def load(self, page_hash):
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=f"file://{os.path.abspath(path)}#{page_hash}")
        until = time.time() + 60
        while time.time() < until:
            if self.value("document.body && document.body.dataset.ready === 'yes'"):
                return
            time.sleep(0.03)
        raise RuntimeError("the page is not ready: " + str(self.value("document.body.innerText.slice(0, 200)")))

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def click(self, selector):
        x, y = self.value(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}});"
                          " const r = e.getBoundingClientRect(); return [r.left + Math.min(r.width, 40) / 2, r.top + r.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def hover(self, selector):
        x, y = self.value(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}});"
                          " const r = e.getBoundingClientRect(); return [r.left + 20, r.top + r.height / 2]; })()")
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def shot(self, name):
        if picture:
            shot = self.call("Page.captureScreenshot", format="png")["data"]
            with open(f"{picture}{name}.png", "wb") as file:
                file.write(base64.b64decode(shot))


# The least contrast of visible text with what is behind it (WCAG), and that text.
CONTRAST = """(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (c) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => { const f = (x) => (x /= 255) <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
  const behind = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (rgb(c)[3] === 255) return c; } return getComputedStyle(document.body).backgroundColor; };
  let least = 99, text = '';
  for (const e of document.querySelectorAll('header *, .l span:not(.n), .chips *, #tabs *, td, th, p, h2, h3, li, summary')) {
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || !e.getClientRects().length) continue;
    const a = light(rgb(getComputedStyle(e).color)), b = light(rgb(behind(e)));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least) { least = ratio; text = e.textContent.slice(0, 40); }
  }
  return [least, text];
})()"""


def count(b, selector):
    return b.value(f"document.querySelectorAll({json.dumps(selector)}).length")


def use_views(b):
    entries = b.value("data.entries.map((e) => e.name)")
    for entry in entries:
        for view in b.value("Object.keys(views)"):
            b.load(f"entry={entry}&view={view}")
            check(b.value("entry.name") == entry, f"{entry} is not chosen")
            check(b.value("document.querySelector('#tabs [aria-selected=true]').id") == "tab-" + view, f"{entry}: {view} is not shown")
            check(len(b.value("$('view').innerText")) > 40, f"{entry}: {view} is empty")
        passes = b.value("passesOf(entry).length")
        b.load(f"entry={entry}&view=passes")
        changed = b.value("passesOf(entry).filter((p) => p.script && p.plus + p.minus).length")
        check(changed > 0, f"{entry}: no pass changes anything")
        # each edit script turns the text before into the text after
        check(b.value("passesOf(entry).filter((p) => p.script).every((p) => { const t = (s) => p.script.filter(([x]) => x !== s).map(([, l]) => core(l)).join('\\n');"
                      " return t('+') === p.before.map(core).join('\\n') && t('-') === textOf(p.text).map(core).join('\\n'); })"),
              f"{entry}: a difference is wrong")
        check(count(b, ".pass-list button") == passes, f"{entry}: {passes} passes are not listed")


def use_lines(b):
    b.load("view=stages&stages=core,loop,c")
    check(count(b, ".column") == 3, "three stages are not side by side")
    line = b.value("fromOf(document.querySelector('[data-stage=loop] .l[data-from]'))[0]")
    b.hover(f"#s{line}")
    check(count(b, "[data-stage=loop] .hot") > 0 and count(b, "[data-stage=c] .hot") > 0, "a line under the mouse has no lines of stages")
    b.click(f"#s{line}")
    check(count(b, "[data-stage=loop] .on") > 0 and count(b, "[data-stage=c] .on") > 0, "a chosen line has no lines of stages")
    check(f"Line {line}".lower() in b.value("$('line').innerText.toLowerCase()"), "a chosen line has no details")
    check(b.value("location.hash").find(f"line={line}") > 0, "the address does not name the line")
    b.shot("-stages")
    b.click("[data-stage=c] .on")
    check(b.value("state.line") > 0, "a line of C chooses no line of the source")
    b.value("$('source').focus()")
    before = b.value("state.line")
    b.key("ArrowDown")
    check(b.value("state.line") == before + 1, "an arrow key does not choose the next line")
    check(b.value("$('source').getAttribute('aria-activedescendant')") == f"s{before + 1}", "the chosen line is not named to readers")
    b.key("Escape")
    check(b.value("state.line") == 0 and count(b, ".on") == 0, "Escape does not clear the line")
    b.value("$('tab-stages').focus()")
    b.key("ArrowRight")
    check(b.value("document.activeElement.id") == "tab-passes" and count(b, ".pass-list") == 1, "an arrow key does not choose the next view")
    b.value("$('slider').focus()")
    at = b.value("state.pass")
    b.key("ArrowRight")
    check(b.value("state.pass") == at + 1 and b.value("document.activeElement.id") == "slider", "an arrow key does not move the slider")


def use_memory(b):
    b.load("view=memory")
    name = b.value("sizeNames()[0]")
    old = b.value("$('view').querySelector('td').innerText")
    b.value(f"(() => {{ const e = $('size-{name}'); e.value = 123456; e.dispatchEvent(new Event('input')); }})()")
    check(b.value("$('view').querySelector('td').innerText") != old, "memory does not follow the sizes")
    if count(b, ".buffer"):
        b.value("document.querySelector('.buffer').focus()")
        b.key("Enter")
        check(b.value("state.buffer") is not None and count(b, ".buffer.chosen") == 1, "a buffer cannot be chosen by a key")


def use_colours(b):
    for scheme in ("light", "dark"):
        b.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        for view in b.value("Object.keys(views)"):
            b.load(f"view={view}&line=5")
            least, text = b.value(CONTRAST)
            check(least >= 4.5, f"{scheme}, {view}: a contrast of {least:.2f} of `{text}`")
            b.shot(f"-{scheme}-{view}")
        light = b.value("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number).every((x) => x > 127)")
        check(light == (scheme == "light"), f"the page is not {scheme}")


with tempfile.TemporaryDirectory() as profile:
    b = Browser(profile)
    try:
        b.open()
        b.load("")
        check(b.value("document.title").endswith(": adze explain"), "the page has no title")
        check(b.value("document.scripts.length") == 2, "a script of the program became one of the page")
        check(b.value("$('source').children.length === textOf(data.source).length"), "the source is not shown")
        check(b.value("[...$('source').children].every((e, i) => { const c = e.lastChild.cloneNode(true); for (const x of c.querySelectorAll('.inlay')) x.remove();"
                      " return c.textContent === (textOf(data.source)[i][0] || ' '); })"), "the source is shown with other characters")
        use_views(b)
        use_lines(b)
        use_memory(b)
        use_colours(b)
        for e in b.events:
            method, p = e.get("method"), e.get("params", {})
            if method == "Runtime.exceptionThrown":
                wrong.append("an exception: " + json.dumps(p["exceptionDetails"])[:300])
            if method == "Log.entryAdded" and p["entry"]["level"] == "error":
                wrong.append("an error: " + p["entry"]["text"][:300])
            if method == "Network.requestWillBeSent" and not p["request"]["url"].startswith(("file://" + os.path.abspath(path), "about:", "blob:")):
                wrong.append("a request: " + p["request"]["url"][:100])
    except RuntimeError as e:
        wrong.append(str(e))
    finally:
        b.process.kill()
        b.process.wait()

print("\n".join(dict.fromkeys(wrong[:20])))
sys.exit(1 if wrong else 0)
