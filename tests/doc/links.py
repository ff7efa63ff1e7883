"""links.py DIR: checks all pages below DIR: tags are closed in order, ids are unique, links lead to a
file of DIR and to an id of it, and no address is outside of DIR."""
import html.parser
import pathlib
import re
import sys

VOID = {"meta", "link", "input", "br"}


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.path, self.open, self.ids, self.links = path, [], [], []
        self.feed(path.read_text(encoding="utf-8"))
        assert not self.open, f"{path}: {self.open} are not closed"
        assert len(self.ids) == len(set(self.ids)), f"{path}: an id is there twice"

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src"):
                self.links.append(value)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"{self.path}: </{tag}> closes nothing"


def main(folder):
    pages = {p.name: Page(p) for p in sorted(folder.glob("*.html"))}
    files = {p.name for p in folder.iterdir()}
    addresses = [(p.path.name, link) for p in pages.values() for link in p.links]
    search = (folder / "search.js").read_text(encoding="utf-8")
    addresses += [("search.js", a) for a in re.findall(r'"([^"]*\.html(?:#[^"]*)?)"\],', search)]
    assert len(addresses) > 20, "hardly any links"
    for where, link in addresses:
        file, _, anchor = link.partition("#")
        assert (file or where) in files, f"{where}: no file for {link}"
        if anchor:
            assert anchor in pages[file or where].ids, f"{where}: no anchor for {link}"
    for name in files:
        text = (folder / name).read_text(encoding="utf-8")
        # Only scripts call fetch: the library has functions of this name. Pages have no scripts in them.
        script = r"|fetch\(" if name.endswith(".js") else r"|<script[^>]*>[^<]"
        outside = re.search(r"(src|href)=\"[a-z]+:|url\(|@import" + script, text)
        assert not outside or name.endswith(".source.html"), f"{name}: {outside.group(0)}"


main(pathlib.Path(sys.argv[1]))
