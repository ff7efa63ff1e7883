# Reads pages of `adze explain --html`: the markup, the data, and the texts in it.
import base64
import html.parser
import json
import re
import zlib

MOST = 150000  # bytes of a page
VOID = {"meta", "input", "link", "br"}


class Markup(html.parser.HTMLParser):
    """Checks that elements are closed in order, and keeps the texts of scripts and styles."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.faults, self.tags, self.texts = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        names = [name for name, _ in attrs]
        if len(set(names)) != len(names):
            self.faults.append(f"<{tag}> has an attribute twice")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes another element")

    def handle_data(self, text):
        if self.open:
            self.texts.append((self.open[-1], text))

    def finish(self):
        self.close()
        if self.open:
            self.faults.append(f"not closed: {self.open}")
        ids = [a["id"] for _, a in self.tags if "id" in a]
        if len(set(ids)) != len(ids):
            self.faults.append("an id occurs twice")
        return self.faults


def outside(text):
    """What in the page refers to anything outside of it."""
    found = re.findall(r"\b(?:https?|ftp|file|ws|wss):|(?<![:/])//[\w-]+\.[a-z]{2,}|@import|url\(", text)
    found += re.findall(r"<(?:link|img|iframe|object|embed|audio|video|base|form)\b", text)
    found += re.findall(r"\b(?:src|href|action|srcset)\s*=|\bfetch\s*\(|XMLHttpRequest|importScripts|\bimport\s*\(", text)
    return found


def data_of(text):
    packed = re.search(r'id="data">([A-Za-z0-9+/=]+)</script>', text).group(1)
    return json.loads(zlib.decompress(base64.b64decode(packed, validate=True)))


def lines_of(data, pieces):
    """The lines of a text, [text, source lines..] each; None if the text was left out."""
    if pieces is None:
        return None
    lines = []
    for first, count in zip(pieces[::2], pieces[1::2]):
        assert 0 <= first and count > 0 and first + count <= len(data["lines"])
        lines += data["lines"][first:first + count]
    return lines


def text_of(data, pieces):
    lines = lines_of(data, pieces)
    return None if lines is None else [line[0] for line in lines]
