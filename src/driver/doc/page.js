// Search over `items`: name, module, kind, first sentence, address.
"use strict";
const field = document.getElementById("search"), found = document.getElementById("found");
const modules = document.getElementById("modules");
const most = 60;
let chosen = 0;

// The lower, the better; -1 if the item does not match all words.
function rank(item, words) {
  let sum = 0;
  const name = item[0].toLowerCase(), path = (item[1] + "." + item[0]).toLowerCase();
  const text = item[3].toLowerCase();
  for (const word of words) {
    if (name === word) sum += 0;
    else if (name.startsWith(word)) sum += 1;
    else if (name.includes(word)) sum += 2;
    else if (path.includes(word)) sum += 3;
    else if (text.includes(word)) sum += 4;
    else return -1;
  }
  return sum;
}

function matches(text) {
  const words = text.toLowerCase().split(/\s+/).filter(w => w);
  if (words.length === 0) return [];
  return items.map(item => [rank(item, words), item]).filter(m => m[0] >= 0)
    .sort((a, b) => a[0] - b[0] || a[1][0].length - b[1][0].length)
    .slice(0, most).map(m => m[1]);
}

function choose(k) {
  const links = found.querySelectorAll("a");
  if (links.length === 0) return;
  chosen = (k + links.length) % links.length;
  links.forEach((a, i) => a.classList.toggle("chosen", i === chosen));
  links[chosen].scrollIntoView({ block: "nearest" });
}

function show() {
  const list = matches(field.value);
  const empty = field.value.trim() === "";
  found.replaceChildren(...list.map(item => {
    const li = document.createElement("li"), a = document.createElement("a");
    const small = document.createElement("small");
    a.href = item[4];
    a.textContent = item[0];
    small.textContent = item[1] + (item[3] ? ": " + item[3].replace(/`/g, "") : "");
    a.append(small);
    li.append(a);
    return li;
  }));
  if (list.length === 0 && !empty) found.textContent = "nothing found";
  modules.hidden = !empty;
  choose(0);
}

field.addEventListener("input", show);
field.addEventListener("keydown", event => {
  const links = found.querySelectorAll("a");
  if (event.key === "ArrowDown") choose(chosen + 1);
  else if (event.key === "ArrowUp") choose(chosen - 1);
  else if (event.key === "Enter" && links[chosen]) location.href = links[chosen].href;
  else if (event.key === "Escape") { field.value = ""; show(); field.blur(); }
  else return;
  event.preventDefault();
});
document.addEventListener("keydown", event => {
  if (event.key !== "/" || event.target === field) return;
  field.focus();
  event.preventDefault();
});
const asked = new URLSearchParams(location.search).get("q");
if (asked) { field.value = asked; show(); }
