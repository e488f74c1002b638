// The search, the list of versions, the folded menu of a small screen, and highlighted code. All pages are complete without it.
"use strict";

const root = document.body.dataset.root;
const query = document.getElementById("query"), results = document.getElementById("results");
const MOST = 20;
let index;

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** The words of a text. Each Chinese character is a word. */
const words = text => text.toLowerCase().replace(/\p{Script=Han}/gu, " $& ").split(/[^\p{L}\p{N}_$]+/u).filter(word => word);
const stem = word => lunr.stemmer(new lunr.Token(word, {})).toString();

/** Loads the texts and builds the index before the first search. A page counts more the further up in the menu it is. */
function load(then) {
  if (index) return then();
  const scripts = ["lunr.min.js", "search.js"].map(file => element("script", {src: `${root}assets/${file}`, async: false}));
  scripts[1].onload = () => {
    lunr.tokenizer.separator = /[^\p{L}\p{N}_$]+/u;
    index ??= lunr(function () {
      this.pipeline.remove(lunr.trimmer);
      this.pipeline.remove(lunr.stopWordFilter);
      this.field("heading", {boost: 5});
      this.field("page");
      this.field("text");
      window.sections.forEach((section, id) => this.add({
        id, heading: words(section.heading).join(" "), page: words(section.page).join(" "), text: words(section.text).join(" "),
      }, {boost: 2 - id / window.sections.length}));
    });
    then();
  };
  document.head.append(...scripts);
}

/** The sections that have all words or beginnings of words; if there are none, those with similar words. */
function found(all) {
  const exact = index.query(search => all.forEach(word => {
    search.term(`${stem(word)}*`, {usePipeline: false, presence: lunr.Query.presence.REQUIRED});
    search.term(word, {boost: 10});
  }));
  return exact.length ? exact : index.query(search => all.forEach(word => search.term(word, {editDistance: word.length > 4 ? 1 : 0})));
}

/** The text around the first word that was searched, with the words marked. */
function excerpt(text, all) {
  const pattern = new RegExp(all.flatMap(word => [word, stem(word)]).map(word => word.replace(/\$/g, "\\$&")).join("|"), "giu");
  const at = Math.max(0, text.search(pattern)), from = at < 60 ? 0 : text.indexOf(" ", at - 60) + 1;
  const part = text.slice(from, from + 180);
  const line = element("small", {}, from ? "… " : "");
  let end = 0;
  for (const match of part.matchAll(pattern)) {
    line.append(part.slice(end, match.index), element("mark", {}, match[0]));
    end = match.index + match[0].length;
  }
  line.append(part.slice(end), " …");
  return line;
}

function search() {
  const all = words(query.value);
  results.hidden = !all.length;
  if (!all.length) return;
  load(() => {
    const hits = found(all).slice(0, MOST).map(hit => window.sections[hit.ref]);
    results.replaceChildren(...hits.map(({path, page, heading, text}) => element("a", {href: root + path},
      element("b", {}, page), heading === page ? "" : ` › ${heading}`, text ? excerpt(text, all) : "")));
    if (!hits.length) results.append(element("p", {}, query.value, ": 0"));
  });
}

query.addEventListener("input", search);
query.addEventListener("focus", search);
document.addEventListener("click", event => results.hidden ||= !event.target.closest("search"));
document.addEventListener("keydown", event => {
  const links = [...results.querySelectorAll("a")], at = links.indexOf(document.activeElement);
  if (event.key === "/" && !event.target.matches("input, select")) {
    query.focus();
  } else if (event.key === "Escape") {
    results.hidden = true;
    return;
  } else if (event.target.closest("search") && event.key === "ArrowDown") {
    links[Math.min(at + 1, links.length - 1)]?.focus();
  } else if (event.target.closest("search") && event.key === "ArrowUp") {
    (links[at - 1] ?? query).focus();
  } else if (event.target === query && event.key === "Enter") {
    links[0]?.click();
  } else {
    return;
  }
  event.preventDefault();
});

const asked = new URLSearchParams(location.search).get("q");
if (asked) {
  query.value = asked;
  search();
}

const versions = document.getElementById("versions");
if ((window.versions ?? []).length) {
  const shown = versions.textContent;
  const list = element("select", {ariaLabel: "Version", onchange: () => location.href = `${root}../${list.value}/index.html`},
    ...window.versions.map(version => element("option", {value: version, selected: version === shown}, version)));
  versions.replaceChildren(list);
}

if (matchMedia("(max-width: 800px)").matches) document.getElementById("menu").open = false;
document.querySelector(".menu [aria-current]")?.scrollIntoView({block: "nearest"});

for (const heading of document.querySelectorAll("main :is(h2, h3)[id]")) {
  heading.append(element("a", {className: "anchor", href: `#${heading.id}`, ariaLabel: heading.textContent}, "#"));
}

hljs.configure({cssSelector: "pre code[class^=language]:not(.language-mermaid)", ignoreUnescapedHTML: true});
hljs.highlightAll();
if (window.mermaid) {
  for (const code of document.querySelectorAll("code.language-mermaid")) {
    code.parentElement.replaceWith(element("pre", {className: "mermaid"}, code.textContent));
  }
  mermaid.initialize({startOnLoad: true, theme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "neutral"});
}
