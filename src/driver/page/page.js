"use strict";
// Renders the data of the page. All text of the program becomes text nodes, never markup.

const $ = (id) => document.getElementById(id);

// An element with attributes, handlers and children; strings become text.
function el(tag, props, ...kids) {
  const e = document.createElement(tag);
  fill(e, props, kids);
  return e;
}

function fill(e, props, kids) {
  for (const [k, v] of Object.entries(props || {})) {
    if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
    else if (v !== null && v !== undefined && v !== false) e.setAttribute(k, v === true ? "" : v);
  }
  e.append(...kids.flat().filter((k) => k !== null && k !== undefined));
}

const svgSpace = (() => {
  const t = document.createElement("template");
  t.innerHTML = "<svg></svg>";
  return t.content.firstChild.namespaceURI;
})();

function svg(tag, props, ...kids) {
  const e = document.createElementNS(svgSpace, tag);
  fill(e, props, kids);
  return e;
}

let data, entry; // the whole, and the chosen entry
const state = { entry: 0, view: "stages", line: 0, stages: ["loop", "c"], pass: -1, whole: false, buffer: null, sizes: {} };

async function read() {
  const bytes = Uint8Array.from(atob($("data").textContent.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

// A text is given as pieces [first, count, ..] of data.lines; a line is [text, source lines..].
function textOf(pieces) {
  const lines = [];
  for (let i = 0; pieces && i < pieces.length; i += 2)
    for (let k = 0; k < pieces[i + 1]; k++) lines.push(data.lines[pieces[i] + k]);
  return lines;
}

// --- highlighting ---------------------------------------------------------------------------------

const words = {
  adz: "as assert break const else entry enum extern fn for if import in let match mut nat return rule schedule strategy struct test type vectorize where while with",
  c: "bool break case char const continue double else float for goto if inline int int16_t int32_t int64_t int8_t kernel long restrict return size_t static struct switch typedef uint16_t uint32_t uint64_t uint8_t unsigned void while",
  term: "alloc block branch buffers call checks decl def entry for global goto id if in jump kernel label lam leave let load loop loop_forever loop_parallel loop_vector loops new out phrase seq set store workspace",
};
const comment = { adz: "\\/\\/.*", c: "\\/\\/.*|^\\s*#.*", term: ";.*" };
const grammar = Object.fromEntries(Object.keys(words).map((k) => [k, new RegExp(
  `(?<com>${comment[k]})|(?<str>"(?:\\\\.|[^"\\\\])*")|(?<num>\\b\\d[\\w.]*(?:e[-+]\\d+\\w*)?)` +
  `|(?<typ>\\b(?:[iu](?:8|16|32|64)|f(?:16|32|64)|bool|idx|vec)\\b)|(?<word>[A-Za-z_][\\w]*)`, "g")]));
const keywords = Object.fromEntries(Object.entries(words).map(([k, v]) => [k, new Set(v.split(" "))]));

// Appends a piece of a line, its tokens in spans. `name` is a word to outline.
function paint(to, text, lang, name) {
  let at = 0;
  for (const m of text.matchAll(grammar[lang])) {
    const g = m.groups;
    const kind = g.com ? "com" : g.str ? "str" : g.num ? "num" : g.typ ? "typ" : keywords[lang].has(g.word) ? "key" : "";
    const outlined = name && g.word === name;
    if (!kind && !outlined) continue;
    to.append(text.slice(at, m.index), el("span", { class: outlined ? "name-on" : kind }, m[0]));
    at = m.index + m[0].length;
  }
  to.append(text.slice(at));
}

// --- lines and their links ------------------------------------------------------------------------

// A listing of lines [text, source lines..]; `marks` gives a line the class of a difference.
function listing(lines, lang, label) {
  const box = el("div", { class: "code", tabindex: 0, role: "region", "aria-label": label });
  lines.forEach((line, i) => box.append(row(line, i + 1, lang)));
  return box;
}

function row(line, number, lang, extra) {
  const from = line.slice(1).join(" ");
  const r = el("div", { class: "l" + (extra ? " " + extra : ""), "data-from": from || null }, el("span", { class: "n" }, String(number)));
  const text = el("span", {});
  paint(text, line[0] || " ", lang, state.buffer);
  r.append(text);
  return r;
}

// Gives all lines that come from one of these source lines a class.
function mark(lines, name) {
  for (const e of document.querySelectorAll("." + name)) e.classList.remove(name);
  if (!lines.length) return;
  const wanted = new Set(lines.map(String));
  for (const e of document.querySelectorAll(".l[data-from]"))
    if (e.dataset.from.split(" ").some((x) => wanted.has(x))) e.classList.add(name);
}

const fromOf = (e) => (e && e.dataset.from ? e.dataset.from.split(" ").map(Number) : []);

function showFirst(box) {
  const first = box.querySelector(".on");
  if (first) box.scrollTop += first.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
}

function select(line, keep) {
  state.line = line;
  mark(line ? [line] : [], "on");
  for (const e of $("source").children) e.setAttribute("aria-selected", e.classList.contains("on"));
  const own = $("source").querySelector(".on");
  if (own) { $("source").setAttribute("aria-activedescendant", own.id); own.scrollIntoView({ block: "nearest" }); }
  else $("source").removeAttribute("aria-activedescendant");
  for (const box of $("view").querySelectorAll(".code")) if (box !== keep) showFirst(box);
  renderLine();
  remember();
}

document.addEventListener("mouseover", (ev) => {
  const l = ev.target.closest && ev.target.closest(".l");
  mark(fromOf(l), "hot");
});
document.addEventListener("click", (ev) => {
  const l = ev.target.closest && ev.target.closest(".l[data-from]");
  if (!l || String(getSelection())) return;
  const from = fromOf(l);
  select(from.includes(state.line) && l.parentNode === $("source") ? 0 : from[0], l.parentNode);
});
document.addEventListener("keydown", (ev) => {
  if (ev.key === "Escape") { state.buffer = null; select(0); render(); }
});
$("source").addEventListener("keydown", (ev) => {
  const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[ev.key];
  if (!step) return;
  ev.preventDefault();
  const last = $("source").children.length;
  select(Math.min(last, Math.max(1, (state.line || 0) + step)));
});

// --- the source -----------------------------------------------------------------------------------

// The remarks on each source line: [what, text].
function remarksOf(e) {
  const own = (x) => !x.file || x.file === data.file;
  const all = [];
  const add = (line, what, text) => {
    if (line && !all.some((r) => r.line === line && r.what === what && r.text === text)) all.push({ line, what, text });
  };
  for (const c of e.choices) if (own(c)) add(c.line, c.what, c.why);
  for (const c of e.checks) if (own(c)) add(c.line, "checked before any work", c.check);
  for (const l of e.lanes_not_in_vectors) add(l.line, "not vectorised", `${l.what}: ${l.why}${l.help ? ". " + l.help : ""}`);
  for (const l of e.loops) if (own(l)) add(l.line, "slow", l.remark);
  for (const l of e.lanes) if (own(l))
    for (const r of l.remarks) add(l.line, "lanes", r.text + (r.names.length ? ": " + r.names.join(", ") : ""));
  return all.sort((a, b) => a.line - b.line);
}

function inlaysOf() {
  const lines = textOf(data.source), of = new Map();
  for (const [line, column, text] of data.inlays) {
    const parameter = text.startsWith(":");
    const plain = !parameter && !text.includes("[") && !/^\s*let\b/.test((lines[line - 1] || [""])[0]);
    if (plain) continue;
    const list = of.get(line) || [];
    if (!parameter && list.length && !list[list.length - 1].parameter) list.pop();
    list.push({ column, text, parameter });
    of.set(line, list);
  }
  return of;
}

function sourceRow(text, number, inlays, hasRemark) {
  const r = el("div", { class: "l", role: "option", id: "s" + number, "data-from": number, "aria-selected": "false" },
    el("span", { class: "n" + (hasRemark ? " dot" : ""), title: hasRemark ? "The compiler has remarks on this line" : null }, String(number)));
  const code = el("span", {}), chars = [...text];
  let at = 0;
  for (const x of inlays.filter((i) => i.parameter)) {
    paint(code, chars.slice(at, x.column - 1).join(""), "adz");
    code.append(el("span", { class: "inlay" }, x.text));
    at = x.column - 1;
  }
  paint(code, chars.slice(at).join("") || " ", "adz");
  for (const x of inlays.filter((i) => !i.parameter)) code.append(el("span", { class: "inlay end" }, x.text));
  r.append(code);
  return r;
}

function renderSource() {
  const of = inlaysOf(), remarked = new Set(remarksOf(entry).map((r) => r.line));
  const lines = textOf(data.source);
  $("source").replaceChildren(...(lines.length
    ? lines.map((l, i) => sourceRow(l[0], i + 1, of.get(i + 1) || [], remarked.has(i + 1)))
    : [el("p", { class: "prose" }, "The source is too long for this page.")]));
}

// --- what is known of a line ------------------------------------------------------------------------

const allBuffers = () => entry.plan.flatMap((f) => f.buffers.map((b) => ({ ...b, of: f.name })));

// The names that lines of Loop IR load from, store to or allocate.
function accessesOf(lines) {
  const names = new Map();
  for (const [text] of lines)
    for (const m of text.matchAll(/\((load|store|gather|scatter|alloc|address)[\w.]* (\w+)/g)) {
      const how = { load: "read", gather: "read", store: "written", scatter: "written" }[m[1]] || "allocated";
      names.set(m[2], (names.get(m[2]) || new Set()).add(how));
    }
  return names;
}

function vectorsOf(lines) {
  const widths = new Set();
  for (const [text] of lines) for (const m of text.matchAll(/vec\[(\d+)\]([fiu]\d+)/g)) widths.add(`${m[1]} × ${m[2]}`);
  return [...widths];
}

const bufferLink = (name) => el("button", { class: "at", type: "button", onclick: () => { state.buffer = name; render(); } }, name);

function renderLine() {
  const box = $("line"), line = state.line;
  if (!line) { box.replaceChildren(); return; }
  const at = (s) => textOf(entry.stages[s]).filter((l) => l.indexOf(line, 1) > 0);
  const loop = at("loop"), c = at("c"), kernels = at("kernels"), names = accessesOf(loop), buffers = allBuffers();
  const remarks = remarksOf(entry).filter((r) => r.line === line);
  const vectors = vectorsOf(loop), parallel = loop.some(([t]) => t.includes("(loop_parallel"));
  const used = [...names].map(([name, how]) => {
    const b = buffers.find((x) => x.name === name);
    return b && el("li", {}, bufferLink(name), ` ${b.type}, ${[...how].join(" and ")}: `,
      el("span", { class: "soft" }, b.space === "in a result" ? `in the result ${b.result}` : b.space, b.each_thread ? ", for each thread" : ""));
  }).filter(Boolean);
  const counts = [[loop, "of Loop IR"], [c, "of C"], [kernels, "of kernels"]].filter(([l]) => l.length).map(([l, what]) => `${l.length} lines ${what}`);
  box.replaceChildren(
    el("h2", {}, `Line ${line}`),
    el("p", { class: "soft" }, counts.length ? `became ${counts.join(", ")}` : `has no code of its own in ${entry.name}`,
      parallel ? "; runs on threads" : "", vectors.length ? `; vectors of ${vectors.join(", ")}` : ""),
    remarks.length ? el("ul", {}, remarks.map((r) => el("li", {}, el("code", {}, r.what), " ", r.text))) : "",
    used.length ? el("p", {}, "Buffers") : "",
    used.length ? el("ul", {}, used) : "");
}

// --- stages -----------------------------------------------------------------------------------------

const stageText = {
  core: "Core: typed terms", flat: "flat Core: after inlining and scheduling", low: "low Core: every choice made",
  dpia: "DPIA: commands that write destinations", loop: "Loop IR: flat memory", c: "C", kernels: "kernels of the device",
};
const langOf = (s) => (s === "c" || s === "kernels" ? "c" : "term");

function column(s) {
  const lines = textOf(entry.stages[s]);
  const body = lines.length ? listing(lines, langOf(s), stageText[s])
    : el("p", { class: "prose" }, `This text is left out, because the page would be too large. adze explain FILE ${entry.name} --stage ${s} prints it.`);
  return el("div", { class: "column", "data-stage": s },
    el("div", { class: "pane-head" }, el("h2", {}, stageText[s]), el("span", { class: "hint" }, `${lines.length} lines`)), body);
}

function viewStages(view) {
  const chips = el("div", { class: "chips", role: "group", "aria-label": "Stages to show" }, el("span", { class: "soft" }, "Side by side:"),
    Object.keys(entry.stages).map((s) => el("button", { class: "chip", type: "button", "aria-pressed": String(state.stages.includes(s)), onclick: () => toggle(s) }, s)));
  const shown = Object.keys(entry.stages).filter((s) => state.stages.includes(s));
  view.replaceChildren(chips, el("div", { class: "columns" }, shown.map(column)));
  if (!state.line) scrollToBody(view);
}

// Without a chosen line, begins at the first line that comes from the program.
function scrollToBody(view) {
  for (const box of view.querySelectorAll(".code")) {
    const first = box.querySelector(".l[data-from]");
    if (first) box.scrollTop = Math.max(0, first.offsetTop - box.offsetTop - 60);
  }
}

function toggle(s) {
  const has = state.stages.includes(s);
  if (has && state.stages.length === 1) return;
  state.stages = has ? state.stages.filter((x) => x !== s) : [...state.stages, s];
  render();
  const chip = [...document.querySelectorAll(".chip")].find((c) => c.textContent === s);
  if (chip) chip.focus();
}

// --- passes -----------------------------------------------------------------------------------------

// What two lines have in common if only the statement around them changed: all but the indentation
// and the parentheses that close around it.
const core = (line) => line[0].trim().replace(/\)+$/, "");

// The shortest edit script (Myers): a list of [sign, line], sign being " ", "+" or "-". Gives up on a
// common middle after `most` edits.
function difference(a, b, most = 2500) {
  let lo = 0, ea = a.length, eb = b.length;
  while (lo < ea && lo < eb && core(a[lo]) === core(b[lo])) lo++;
  while (ea > lo && eb > lo && core(a[ea - 1]) === core(b[eb - 1])) ea--, eb--;
  const script = b.slice(0, lo).map((l) => [" ", l]);
  script.push(...middle(a.slice(lo, ea), b.slice(lo, eb), most));
  script.push(...b.slice(eb).map((l) => [" ", l]));
  return script;
}

function middle(a, b, most) {
  const rows = [], ka = a.map(core), kb = b.map(core);
  let v = new Map([[1, 0]]), found = -1;
  for (let d = 0; d <= Math.min(most, a.length + b.length) && found < 0; d++) {
    rows.push(new Map(v));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (v.get(k - 1) ?? -1) < (v.get(k + 1) ?? -1));
      let x = down ? v.get(k + 1) : v.get(k - 1) + 1;
      while (x < a.length && x - k < b.length && ka[x] === kb[x - k]) x++;
      v.set(k, x);
      if (x >= a.length && x - k >= b.length) { found = d; break; }
    }
  }
  if (found < 0) return [...a.map((l) => ["-", l]), ...b.map((l) => ["+", l])];
  const back = [];
  let x = a.length, y = b.length;
  for (let d = found; d >= 0; d--) {
    const w = rows[d], k = x - y;
    const down = k === -d || (k !== d && (w.get(k - 1) ?? -1) < (w.get(k + 1) ?? -1));
    const k0 = down ? k + 1 : k - 1, x0 = d === 0 ? 0 : w.get(k0), y0 = d === 0 ? 0 : x0 - k0;
    while (x > x0 && y > y0 && x > 0 && y > 0 && ka[x - 1] === kb[y - 1]) back.push([" ", b[--y]]), x--;
    if (d > 0) { if (down) back.push(["+", b[--y]]); else back.push(["-", a[--x]]); }
  }
  return back.reverse();
}

// The passes with what each changes. A pass without a text of its own changes nothing.
function passesOf(e) {
  if (e.compared) return e.compared;
  let before = null;
  return (e.compared = e.passes.map((p) => {
    const r = { ...p, before, script: null, known: p.text !== null };
    if (p.to === "loop") {
      if (p.text && before && p.from === "loop") r.script = difference(before, textOf(p.text));
      if (p.text !== undefined) before = p.text ? textOf(p.text) : null;
    }
    r.plus = r.script ? r.script.filter(([s]) => s === "+").length : 0;
    r.minus = r.script ? r.script.filter(([s]) => s === "-").length : 0;
    r.same = p.text === undefined && p.from === "loop" && p.to === "loop";
    return r;
  }));
}

function changes(script) {
  const box = el("div", { class: "code", tabindex: 0, role: "region", "aria-label": "Lines before and after the pass" });
  const near = script.map(() => state.whole);
  script.forEach(([s], i) => { if (s !== " ") for (let k = -3; k <= 3; k++) near[i + k] = true; });
  let number = 0, skipped = 0;
  const flush = () => { if (skipped) box.append(el("div", { class: "gap" }, `${skipped} unchanged lines`)); skipped = 0; };
  script.forEach(([s, line], i) => {
    if (s !== "-") number++;
    if (!near[i]) { skipped++; return; }
    flush();
    box.append(row(line, s === "-" ? "" : number, "term", s === "+" ? "added" : s === "-" ? "removed" : ""));
  });
  flush();
  return box;
}

function passBody(p) {
  if (!p.known) return el("p", { class: "prose" }, `The result is left out, because the page would be too large. adze explain FILE ${entry.name} --print-after ${p.name} prints it.`);
  if (p.same) return el("p", { class: "prose" }, "This pass changes nothing here.");
  if (p.script) return changes(p.script);
  if (p.from === "loop" && p.to === "loop") return listing(textOf(p.text), "term", "After the pass");
  const pair = [p.from, p.to].filter((s) => entry.stages[s] !== undefined);
  return el("div", { class: "columns" }, pair.map((s) => (s === "loop" && p.text
    ? el("div", { class: "column" }, el("div", { class: "pane-head" }, el("h2", {}, "Loop IR, before all passes on it")), listing(textOf(p.text), "term", "Loop IR"))
    : column(s))));
}

function viewPasses(view) {
  const all = passesOf(entry);
  if (state.pass < 0 || state.pass >= all.length) {
    state.pass = Math.max(0, all.findIndex((p) => p.script && p.plus + p.minus > 0));
  }
  const p = all[state.pass];
  const pick = (i) => { state.pass = i; render(); };
  const list = el("div", { class: "pass-list", role: "group", "aria-label": "Passes in order" }, all.map((x, i) =>
    el("button", { type: "button", class: x.same ? "same" : null, "aria-current": String(i === state.pass), onclick: () => { pick(i); const b = document.querySelector("[aria-current=true]"); if (b) b.focus(); } },
      el("span", {}, x.name), x.script ? el("span", { class: "plus" }, `+${x.plus}`) : "", x.script ? el("span", { class: "minus" }, `−${x.minus}`) : "",
      !x.same && !x.script ? el("span", { class: "soft" }, x.known ? `${x.from} → ${x.to}` : "left out") : "")));
  const slider = el("input", { type: "range", class: "slider", id: "slider", min: 0, max: all.length - 1, value: state.pass, "aria-label": "Pass", "aria-valuetext": p.name,
    oninput: (ev) => { pick(Number(ev.target.value)); $("slider").focus(); } });
  view.replaceChildren(
    el("div", { class: "chips" }, slider, el("label", {}, el("input", { type: "checkbox", checked: state.whole, onchange: (ev) => { state.whole = ev.target.checked; render(); } }), " whole text")),
    el("div", { class: "chips" }, el("strong", {}, p.name), el("span", {}, p.purpose)),
    el("div", { class: "passes" }, list, el("div", { class: "column" }, passBody(p))));
  const current = list.querySelector("[aria-current=true]");
  if (current) current.scrollIntoView({ block: "nearest" });
}

// --- the schedule -----------------------------------------------------------------------------------

// A step that covers earlier ones is their parent.
function treeOf(steps) {
  const top = [];
  for (const s of steps) {
    const node = { step: s, kids: [], size: 1 };
    let covered = s.covers;
    while (covered > 0 && top.length) {
      const kid = top.pop();
      node.kids.unshift(kid);
      node.size += kid.size;
      covered -= kid.size;
    }
    top.push(node);
  }
  return top;
}

function stepView(node, open) {
  const s = node.step, place = s.file ? `${s.file}:${s.line}` : "";
  const title = s.covers ? (s.why || "").split(". ")[0] : s.name;
  const terms = s.before !== undefined && el("div", { class: "terms" },
    ...["before", "after"].map((k) => el("div", {}, el("h2", {}, k), s[k] ? listing(textOf(s[k]), "term", k) : el("p", { class: "soft" }, "left out"))));
  return el("details", { open },
    el("summary", {}, s.covers ? el("span", {}, title) : el("code", {}, title), " ",
      el("span", { class: "soft" }, [s.path && `at ${s.path}`, place, s.operations && s.operations !== "0" && s.operations.length < 60 && `${s.operations} operations`].filter(Boolean).join(" · "))),
    !s.covers && s.why ? el("p", {}, s.why) : "",
    s.statement ? el("p", {}, el("span", { class: "soft" }, "as a statement of a schedule: "), el("code", {}, s.statement)) : "",
    terms || "", node.kids.map((k) => stepView(k, false)));
}

function viewSchedule(view) {
  const s = entry.schedule, applied = s.rules.filter((r) => r.applied).length;
  const intro = s.none_because ? `No default schedule: ${s.none_because}.`
    : s.default ? (s.strategy ? `The default schedule, the strategy ${s.strategy}.` : "Compiled as written, without a schedule.")
      : `The program's own schedule for the target ${data.target}.`;
  const tree = treeOf(s.steps);
  const rules = [...s.rules].sort((a, b) => (b.applied > 0) - (a.applied > 0));
  view.replaceChildren(el("div", { class: "prose" },
    el("p", {}, intro), s.strategy && s.default ? el("p", { class: "soft" }, `adze explain FILE ${entry.name} --schedule writes its steps as a schedule that you can paste and change.`) : "",
    el("h3", {}, `${s.steps.filter((x) => !x.covers).length} steps`, s.step_count > s.steps.length ? ` of ${s.step_count}; the others are left out` : ""),
    tree.length ? tree.map((n, i) => stepView(n, i === 0)) : el("p", {}, "It changes nothing."),
    rules.length ? el("h3", {}, `${rules.length} rules tried, ${applied} applied`) : "",
    rules.length ? el("table", {}, el("tr", {}, el("th", {}, "rule"), el("th", { class: "r" }, "tried"), el("th", { class: "r" }, "applied"), el("th", {}, "where it did not apply, the nearest cause")),
      rules.map((r) => el("tr", { class: r.applied ? null : "soft" }, el("td", {}, el("code", {}, r.name)), el("td", { class: "r" }, String(r.tried)), el("td", { class: "r" }, String(r.applied)), el("td", {}, r.why || "")))) : ""));
}

// --- memory -----------------------------------------------------------------------------------------

// The value of a size for the chosen numbers; NaN if it has no number.
function value(t) {
  if (typeof t === "number") return t;
  if (typeof t === "string") return state.sizes[t] ?? NaN;
  if (!t) return NaN;
  const [op, ...rest] = t, v = rest.map(value);
  switch (op) {
    case "+": return v.reduce((a, b) => a + b, 0);
    case "*": return v.reduce((a, b) => a * b, 1);
    case "/": return Math.floor(v[0] / v[1]);
    case "%": return v[0] - v[1] * Math.floor(v[0] / v[1]);
    case "min": return Math.min(...v);
    case "max": return Math.max(...v);
    case "pow": return v[0] ** v[1];
  }
  return NaN;
}

function bytesText(n) {
  if (!Number.isFinite(n)) return "?";
  const units = ["B", "KB", "MB", "GB", "TB", "PB"];
  let k = 0;
  while (n >= 1000 && k + 1 < units.length) n /= 1000, k++;
  return `${k ? n.toFixed(n < 10 ? 2 : n < 100 ? 1 : 0) : n} ${units[k]}`;
}

// The bytes of all copies of a buffer, if each thread has one.
const bytesOf = (b) => value(b.bytes) * (b.each_thread ? (state.sizes[entry.threads] ?? 0) + 1 : 1);

function linesText(b) {
  const [from, to] = [Math.min(b.first, b.last || b.first), Math.max(b.first, b.last || b.first)];
  return from === to ? String(from) : `${from}–${to}`;
}

const colours = ["--a", "--b", "--c", "--d", "--e", "--f"];

function sizeNames() {
  return [...entry.sizes, ...(entry.threads ? [entry.threads] : [])];
}

// Arrays as rectangles: across, the statements during which each is live; upwards, its bytes.
function picture(title, buffers, height) {
  const last = Math.max(1, ...buffers.map((b) => b.to + 1)), first = Math.min(...buffers.map((b) => b.from));
  const total = Math.max(1, height || 0, ...buffers.map((b) => (value(b.at ?? 0) || 0) + (bytesOf(b) || 0)));
  const W = 900, H = 280, left = 74, bottom = 38, x = (t) => left + ((t - first) / (last - first)) * (W - left - 12);
  const y = (b) => 12 + (1 - b / total) * (H - bottom - 12);
  const s = svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "group", "aria-label": title });
  for (let k = 0; k <= 4; k++) {
    const b = (total * k) / 4;
    s.append(svg("line", { class: "grid", x1: left, x2: W - 12, y1: y(b), y2: y(b) }), svg("text", { class: "axis", x: left - 6, y: y(b) + 4, "text-anchor": "end" }, bytesText(b)));
  }
  s.append(svg("text", { class: "axis", x: left, y: H - 4 }, "statements of the function, in order, and the source lines where arrays begin to live →"));
  let free = left; // where the next label of the axis may begin
  for (const b of [...buffers].sort((p, q) => p.from - q.from)) {
    if (!b.first || x(b.from) < free) continue;
    s.append(svg("line", { class: "grid", x1: x(b.from), x2: x(b.from), y1: 12, y2: H - bottom }), svg("text", { class: "axis", x: x(b.from), y: H - bottom + 14 }, `line ${b.first}`));
    free = x(b.from) + 52;
  }
  buffers.forEach((b, i) => {
    const at = value(b.at ?? 0) || 0, size = bytesOf(b) || 0;
    const box = { x: x(b.from), y: y(at + size), width: Math.max(3, x(b.to + 1) - x(b.from)), height: Math.max(4, y(at) - y(at + size)) };
    const where = b.first ? `lines ${linesText(b)}` : "the library";
    const choose = () => { state.buffer = state.buffer === b.name ? null : b.name; if (b.first) state.line = b.first; render(); };
    s.append(svg("g", { class: "buffer" + (state.buffer === b.name ? " chosen" : ""), tabindex: 0, role: "button", onclick: choose,
      onkeydown: (ev) => { if (ev.key === "Enter" || ev.key === " ") { ev.preventDefault(); choose(); } },
      "aria-label": `${b.name}, ${b.type}, ${bytesText(size)}, live in ${where}` },
    svg("rect", { ...box, rx: 3, style: `fill: var(${colours[i % colours.length]})` }),
    svg("title", {}, `${b.name}: ${b.type}, ${bytesText(size)}${b.each_thread ? ", a copy for each thread" : ""}\nlive in ${where}`),
    box.height > 15 && box.width > 7 * b.name.length ? svg("text", { x: box.x + 6, y: box.y + Math.min(15, box.height - 3) }, b.name) : null));
  });
  return s;
}

function bufferRows(f, most) {
  return f.buffers.map((b) => {
    const n = bytesOf(b);
    const live = b.first ? el("button", { class: "at", type: "button", onclick: () => select(b.first) }, linesText(b)) : "";
    return el("tr", {}, el("td", {}, bufferLink(b.name)), el("td", {}, el("code", {}, b.type)),
      el("td", {}, b.result ? `in the result ${b.result}` : b.space, b.each_thread ? ", for each thread" : ""), el("td", {}, live),
      el("td", { class: "r" }, bytesText(n)), el("td", {}, el("span", { class: "bar", style: `width: ${Math.max(1, Math.round((110 * (n || 0)) / most))}px` })));
  });
}

function functionMemory(f) {
  const placed = f.buffers.filter((b) => b.from !== undefined), work = placed.filter((b) => b.space === "workspace");
  const results = [...new Set(placed.filter((b) => b.result).map((b) => b.result))];
  const most = Math.max(1, ...f.buffers.map((b) => bytesOf(b) || 0));
  return el("div", {}, el("h3", {}, f.kernel ? `kernel ${f.name}` : f.name),
    work.length ? el("p", { class: "soft" }, `The workspace, ${bytesText(value(f.workspace))}: rectangles in one row of bytes share memory at different times.`) : "",
    work.length ? picture(`Workspace of ${f.name} over time`, work, value(f.workspace)) : "",
    results.map((r) => el("div", {}, el("p", { class: "soft" }, `Temporary arrays in the memory of the result ${r}, before it is written:`), picture(`Arrays in the result ${r} over time`, placed.filter((b) => b.result === r), 0))),
    placed.length ? "" : el("p", { class: "soft" }, "No temporary arrays in a workspace."),
    f.buffers.length ? el("table", {}, el("tr", {}, ["array", "type", "where", "lines", "bytes", ""].map((h) => el("th", { class: h === "bytes" ? "r" : null }, h))), bufferRows(f, most)) : "");
}

function viewMemory(view) {
  const inputs = el("div", { class: "inputs" }, sizeNames().map((n) => el("label", {}, n === entry.threads ? `worker threads (${n})` : n, " ",
    el("input", { type: "number", min: 0, id: "size-" + n, value: state.sizes[n], oninput: (ev) => { state.sizes[n] = Math.max(0, Number(ev.target.value) || 0); draw(); } }))));
  const body = el("div", {});
  const draw = () => {
    const buffers = entry.plan[0].buffers, sum = (space) => buffers.filter((b) => b.space === space).reduce((s, b) => s + value(b.bytes), 0);
    const all = [["inputs", entry.memory.inputs.size, sum("input")], ["results", entry.memory.results.size, sum("result")], ["workspace", entry.memory.workspace.size, value(entry.plan[0].workspace)]];
    body.replaceChildren(el("table", {}, all.map(([k, formula, n]) => el("tr", {}, el("th", {}, k), el("td", { class: "r" }, bytesText(n)), el("td", {}, el("code", {}, formula), " bytes")))),
      ...entry.plan.map(functionMemory));
  };
  view.replaceChildren(el("div", { class: "prose" }, sizeNames().length ? el("p", { class: "soft" }, "For these sizes:") : "", inputs, body));
  draw();
}

// --- remarks ----------------------------------------------------------------------------------------

function viewRemarks(view) {
  const all = remarksOf(entry);
  view.replaceChildren(el("div", { class: "prose" },
    entry.contiguous_if ? el("p", {}, `Two versions: if ${entry.contiguous_if}, elements of the last dimension are contiguous; the other version is for any strides.`) : "",
    all.length ? el("table", {}, el("tr", {}, el("th", {}, "line"), el("th", {}, "what"), el("th", {}, "why")),
      all.map((r) => el("tr", {}, el("td", {}, el("button", { class: "at", type: "button", onclick: () => select(r.line) }, String(r.line))), el("td", {}, el("code", {}, r.what)), el("td", {}, r.text))))
      : el("p", {}, "No remarks."),
    data.entries_left_out.length ? el("h3", {}, "Entries left out") : "",
    data.entries_left_out.length ? el("p", {}, "The page has no room for these entries; name one on the command line for a page of its own: ", el("code", {}, data.entries_left_out.join(", "))) : "",
    data.left_out.length ? el("h3", {}, "Texts left out") : "",
    data.left_out.length ? el("p", {}, "The page would be too large with these texts; adze explain prints each by itself (--stage, --print-after, --trace).") : "",
    data.left_out.length ? el("ul", {}, data.left_out.map((t) => el("li", {}, t)), data.left_out_count > data.left_out.length ? el("li", {}, "and others") : "") : ""));
}

// --- the page ---------------------------------------------------------------------------------------

const views = { stages: ["Stages", viewStages], passes: ["Passes", viewPasses], schedule: ["Schedule", viewSchedule], memory: ["Memory", viewMemory], remarks: ["Remarks", viewRemarks] };

function renderTabs() {
  const names = Object.keys(views);
  const go = (name) => { state.view = name; render(); $("tab-" + name).focus(); };
  $("tabs").replaceChildren(...names.map((name, i) => el("button", { role: "tab", type: "button", id: "tab-" + name, "aria-selected": String(name === state.view), "aria-controls": "view", tabindex: name === state.view ? 0 : -1,
    onclick: () => go(name),
    onkeydown: (ev) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[ev.key];
      if (step) go(names[(i + step + names.length) % names.length]);
    } }, views[name][0])));
  $("view").setAttribute("aria-labelledby", "tab-" + state.view);
}

function facts() {
  const v = entry.vectors, workspace = entry.memory.workspace.size, kernels = entry.stages.kernels !== undefined;
  const parts = [`target ${data.target}`, kernels ? `host ${data.cpu}` : `for ${data.cpu}`];
  if (v.bytes || !kernels) parts.push(v.bytes ? `vectors of up to ${v.bytes} bytes` : "no vectors");
  if (v.functions.length) parts.push(`${v.functions.join(", ")} ${v.library ? "by libmvec" : "lane by lane"}`);
  if (entry.threads) parts.push("several threads");
  parts.push(workspace.length <= 60 ? `workspace ${workspace} bytes` : "workspace: see Memory", `Adze ${data.version}`);
  return parts.join(" · ");
}

function render() {
  document.body.dataset.view = state.view;
  renderTabs();
  views[state.view][1]($("view"));
  const out = [[data.left_out_count, "texts"], [data.entries_left_out.length, "entries"]].filter(([n]) => n).map(([n, what]) => `${n} ${what}`);
  if (out.length && state.view !== "remarks") $("view").append(el("p", { class: "left-out" }, `Left out of this page: ${out.join(" and ")}; see Remarks.`));
  select(state.line);
}

function choose(i) {
  state.entry = i;
  entry = data.entries[i];
  state.pass = -1;
  state.buffer = null;
  state.sizes = {};
  for (const n of sizeNames()) state.sizes[n] = entry.given[n] ?? (n === entry.threads ? 7 : 256);
  $("entry").value = i;
  $("facts").textContent = facts();
  $("signature").textContent = entry.doc || "";
  renderSource();
}

// The address keeps what is shown, for links and for going back.
function remember() {
  const parts = new URLSearchParams({ entry: entry.name, view: state.view, stages: state.stages.join(",") });
  if (state.line) parts.set("line", state.line);
  if (state.view === "passes" && entry.passes[state.pass]) parts.set("pass", entry.passes[state.pass].name);
  try { history.replaceState(null, "", "#" + parts); } catch { /* a page without an address */ }
}

function recall() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const i = data.entries.findIndex((e) => e.name === parts.get("entry"));
  choose(Math.max(0, i));
  if (views[parts.get("view")]) state.view = parts.get("view");
  const stages = (parts.get("stages") || "").split(",").filter((s) => entry.stages[s] !== undefined);
  if (stages.length) state.stages = stages;
  else if (entry.stages.kernels !== undefined) state.stages = ["loop", "kernels"];
  state.line = Number(parts.get("line")) || 0;
  state.pass = entry.passes.findIndex((p) => p.name === parts.get("pass"));
}

async function start() {
  data = await read();
  $("file").textContent = data.file.split("/").pop();
  $("entry").replaceChildren(...data.entries.map((e, i) => el("option", { value: i }, e.name)));
  $("entry").addEventListener("change", (ev) => { choose(Number(ev.target.value)); render(); });
  $("inlays").addEventListener("change", (ev) => $("source").classList.toggle("no-inlays", !ev.target.checked));
  recall();
  render();
  if (!state.line) {
    const own = $("s" + entry.span.line);
    if (own) own.scrollIntoView({ block: "center" });
  }
  document.body.dataset.ready = "yes";
}

start().catch((e) => { $("view").textContent = "The data of this page cannot be read: " + e.message; });
