// The task explorer. `tasks.js`, loaded before, defines TASKS (sorted by name), LEVELS, and MODELS with the last days of
// their knowledge and whether somebody has verified these.
// The address is the state: filters, search and the open task all stand in the hash.
// `python.js` tells the parts of Python code.
// Texts of tasks come from strangers: they only ever become text nodes, and links come checked from the release.
"use strict";

const FILTERS = {
  track: (task) => [task.track],
  domain: (task) => [task.domain],
  library: (task) => task.libraries,
  difficulty: (task) => [task.difficulty],
  ...(TASKS.some((task) => task.about) && { chain: (task) => (task.about?.chain ? [task.about.chain] : []) }),
  month: (task) => [task.month],
  ...(MODELS.length && { younger: (task) => youngerThan(task.since) }),
};
const YOUNGER = new Map(); // day -> the models that a task of that day is younger than
const SORTS = {
  hardest: (a, b) => LEVELS.indexOf(b.difficulty) - LEVELS.indexOf(a.difficulty) || b.size.complexity - a.size.complexity,
  longest: (a, b) => b.size.lines - a.size.lines,
  newest: (a, b) => (a.since < b.since ? 1 : a.since > b.since ? -1 : 0),
};
const DOUBTFUL = new Set(MODELS.filter(([, , verified]) => !verified).map(([name]) => name));
const WIDE = matchMedia("(min-width: 800px)"); // list and task side by side
const ORDER = {
  difficulty: (a, b) => LEVELS.indexOf(a) - LEVELS.indexOf(b),
  month: (a, b) => (a < b ? 1 : -1),
};
const CHUNK = 50; // how many of the tasks found are drawn at a time
const WORDS = TASKS.map((task) =>
  [task.name, task.project, task.id, task.domain, ...task.libraries, task.instruction].join("\n").toLowerCase());
const BY_ID = new Map(TASKS.map((task) => [task.id, task]));

const at = (id) => document.getElementById(id);
const panes = at("panes"), search = at("search"), list = at("list"), more = at("more"), article = at("task");
const options = {}; // filter -> value -> its <option>

let state = empty();
let found = []; // the tasks that pass the filters, in order
let drawnFor = null; // the filters that the list was drawn for
let pending = 0; // the timer after which the address follows the search

// ---- the state, and the address ----

function empty() {
  return { q: "", track: "", domain: "", library: "", difficulty: "", chain: "", month: "", younger: "", sort: "", task: "" };
}

function toHash(wanted) {
  return "#" + new URLSearchParams(Object.entries(wanted).filter(([, value]) => value));
}

/** The state that a hash means; filters with a value that no task has are left out. */
function fromHash(hash) {
  const given = new URLSearchParams(hash.slice(1));
  const wanted = empty();
  for (const key of Object.keys(wanted)) {
    const value = given.get(key) ?? "";
    const known = key in FILTERS ? options[key].has(value)
      : !["younger", "chain"].includes(key) && (key !== "sort" || value in SORTS);
    wanted[key] = known ? value : "";
  }
  return wanted;
}

function writeAddress(push = false) {
  clearTimeout(pending);
  const hash = toHash(state);
  if (hash === (location.hash || "#")) return;
  history[push ? "pushState" : "replaceState"](null, "", hash);
  tellHub(hash);
}

/** On the Hub a Space is a frame: its page's address follows when told so. */
function tellHub(hash) {
  if (window.parent !== window) window.parent.postMessage({ hash }, "https://huggingface.co");
}

function isSection(hash) {
  return hash.length > 1 && !hash.includes("=");
}

/** Go to another state: draw it, and put it into the address. */
function go(changes, push = false) {
  state = { ...state, ...changes };
  draw();
  writeAddress(push);
}

// ---- elements ----

/** A new element; children that are strings become text. */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function outside(url, text) {
  return url ? make("a", { href: url, target: "_blank", rel: "noopener noreferrer nofollow" }, text) : text;
}

/** A share in per cent, cut off and not rounded, so that only all of it is 100%. */
function percent(part) {
  return Math.floor(Number((part * 1000).toFixed(6))) / 10 + "%";
}

function several(count, one, many = one + "s") {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

// ---- filters ----

function youngerThan(day) {
  if (!YOUNGER.has(day)) YOUNGER.set(day, MODELS.filter(([, last]) => day > last).map(([name]) => name));
  return YOUNGER.get(day);
}

function makeOptions() {
  for (const [name, valuesOf] of Object.entries(FILTERS)) {
    const values = [...new Set(TASKS.flatMap(valuesOf))].sort(ORDER[name]);
    options[name] = new Map([["", make("option", { value: "" }, "all")]]);
    for (const value of values) options[name].set(value, make("option", { value }, value));
    at(name).append(...options[name].values());
  }
}

function passes(task, except) {
  return Object.entries(FILTERS).every(
    ([name, valuesOf]) => name === except || !state[name] || valuesOf(task).includes(state[name]));
}

function withWords() {
  const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  return TASKS.filter((_, place) => words.every((word) => WORDS[place].includes(word)));
}

/** Each value's count is of the tasks that would be found if it were chosen. */
function drawCounts(tasks) {
  for (const [name, valuesOf] of Object.entries(FILTERS)) {
    const counts = new Map();
    for (const task of tasks) {
      if (passes(task, name)) for (const value of valuesOf(task)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    for (const [value, option] of options[name]) {
      if (!value) continue;
      const count = counts.get(value) ?? 0;
      option.textContent = `${value}${name === "younger" && DOUBTFUL.has(value) ? ", not verified" : ""} (${count})`;
      option.disabled = count === 0 && value !== state[name];
    }
    at(name).value = state[name];
  }
}

// ---- the list ----

function drawList() {
  const filters = toHash({ ...state, task: "" });
  if (filters === drawnFor) return;
  drawnFor = filters;
  const tasks = withWords();
  found = tasks.filter((task) => passes(task));
  if (state.sort) found.sort(SORTS[state.sort]);
  at("sort").value = state.sort;
  drawCounts(tasks);
  list.replaceChildren();
  drawMore();
  at("found").scrollTop = 0;
  at("count").textContent = `${found.length.toLocaleString("en")} of ${several(TASKS.length, "task")}`;
}

function drawMore() {
  const start = list.childElementCount;
  list.append(...found.slice(start, start + CHUNK).map(entry));
  more.hidden = list.childElementCount >= found.length;
  if (start === 0 && list.firstElementChild) linkOf(list.firstElementChild).tabIndex = 0;
}

function entry(task) {
  const about = [task.difficulty, task.project, task.domain].join(" · ");
  const link = make("a", { href: toHash({ ...state, task: task.id }), tabindex: "-1" },
    make("code", {}, task.name), make("small", {}, [task.track, task.about?.chain].filter(Boolean).join(" · ")),
    make("span", {}, about));
  const item = make("li", {}, link);
  item.dataset.id = task.id;
  return item;
}

function linkOf(item) {
  return item.firstElementChild;
}

function itemOf(id) {
  return [...list.children].find((item) => item.dataset.id === id);
}

function markOpen() {
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const item = itemOf(state.task || shownFirst()?.id);
  if (item) linkOf(item).setAttribute("aria-current", "true");
}

/** One entry of the list can be reached with Tab, the others from there with the arrow keys. */
function reach(item) {
  for (const link of list.querySelectorAll("a[tabindex='0']")) link.tabIndex = -1;
  linkOf(item).tabIndex = 0;
}

function focusEntry(item) {
  if (!item) return;
  reach(item);
  linkOf(item).focus();
}

function moveInList(event) {
  const item = event.target.closest("li");
  if (!item) return;
  if (event.key === "ArrowDown" && !item.nextElementSibling) drawMore();
  if (event.key === "ArrowUp" && !item.previousElementSibling) {
    event.preventDefault();
    search.focus();
    return;
  }
  const next = {
    ArrowDown: item.nextElementSibling, ArrowUp: item.previousElementSibling,
    Home: list.firstElementChild, End: list.lastElementChild,
  }[event.key];
  if (!next) return;
  event.preventDefault();
  focusEntry(next);
}

// ---- the task ----

/** The task that is shown where none is asked for: beside the list there is room for one. */
function shownFirst() {
  return !state.task && WIDE.matches ? found[0] : undefined;
}

function drawTask() {
  const task = BY_ID.get(state.task) ?? shownFirst();
  panes.classList.toggle("open", Boolean(state.task));
  if (task) article.replaceChildren(...taskParts(task));
  else if (state.task) article.replaceChildren(back(), make("p", {}, `This release has no task ${state.task}.`));
  else article.replaceChildren(make("p", { class: "hint" }, "Choose a task to see it here."));
}

function back() {
  const button = make("button", { type: "button", class: "back" }, "Back to the list");
  button.addEventListener("click", close);
  return button;
}

function taskParts(task) {
  const parts = [
    back(),
    make("h3", { tabindex: "-1", id: "task-title" }, make("code", {}, task.name)),
    make("p", { class: "tags" }, ...[task.track, task.difficulty, task.domain, ...task.libraries]
      .map((text) => make("span", {}, text))),
    prose(task.about ? "Call" : "Signature", task.signature, task),
    ...(task.about ? programs(task) : task.given ? [prose("Given", task.given, task)] : []),
    ...(task.about?.chain ? [] : [prose("Instruction", task.instruction, task)]),
    ...(task.wordings ? otherWords(task) : []),
    make("h4", {}, "Measures"), facts(measures(task)),
    make("h4", {}, "Provenance"), facts(provenance(task)),
  ];
  if (task.reference) {
    parts.push(make("details", {}, make("summary", {}, "Reference"), copying(task.reference),
      make("pre", { tabindex: "0", role: "region", "aria-label": "Reference" }, code(task.reference, task))));
  }
  parts.push(make("p", { class: "note" }, make("a", { href: toHash({ ...empty(), task: task.id }) }, "Link to this task"),
    " ", make("code", {}, task.id)));
  return parts;
}

/** What is asked about a program: its origin beside it, where the same is asked about that, and the question. */
function programs(task) {
  const origin = BY_ID.get(task.about.beside);
  const shown = [
    ...(origin ? [pane("Origin", origin.given, origin)] : []),
    ...(task.given ? [pane(task.about.chain ? `Program (${task.about.chain})` : "Given", task.given, task)] : []),
  ];
  return [
    make("div", { class: "beside" }, ...shown),
    prose("Question", task.about.question, task),
  ];
}

/** The question as it is, and beside it in the words of the variant that is chosen, with what differs marked. */
function otherWords(task) {
  const choice = make("select", { id: "wording", "aria-label": "Variant" },
    ...task.wordings.map(([name], place) => make("option", { value: String(place) }, name)));
  const shown = make("div", { class: "beside" });
  const show = () => {
    const [name, tells, edits] = task.wordings[Number(choice.value)];
    shown.replaceChildren(
      section("As it is", ...marked(task.instruction, edits, (before) => before)),
      section(`${name}, tells ${tells === "same" ? "the same" : tells}`, ...marked(task.instruction, edits, (_, after) => after)));
    for (const box of shown.querySelectorAll("pre")) box.classList.add("prose");
  };
  choice.addEventListener("change", show);
  show();
  return [make("h4", {}, "In other words ", choice), shown];
}

/** The parts of a text with those of `edits` marked, each as `side` of what stood and what stands there. */
function marked(text, edits, side) {
  const letters = [...text]; // places are those of characters
  const parts = [];
  let end = 0;
  for (const [start, count, after] of edits) {
    parts.push(letters.slice(end, start).join(""));
    parts.push(make("mark", {}, side(letters.slice(start, start + count).join(""), after)));
    end = start + count;
  }
  return [...parts, letters.slice(end).join("")];
}

/** A text with its whitespace, whose long lines are broken; code is shown in boxes that scroll. */
function prose(title, text, task) {
  return make("section", {}, make("h4", {}, title, " ", copying(text)),
    make("pre", { class: "prose" }, code(text.trimEnd(), task)));
}

/** Code in a box that scrolls. */
function pane(title, text, task) {
  return section(title, code(text.trimEnd(), task));
}

/** Parts of a text in a box that scrolls, with their title. */
function section(title, ...parts) {
  const box = make("pre", { tabindex: "0", role: "region", "aria-label": title }, ...parts);
  return make("section", {}, make("h4", {}, title, " ", copying(box.textContent)), box);
}

/** A text in the task's language. */
function code(text, task) {
  return make("code", {}, ...(task.track.endsWith("-python") ? pythonParts(text) : [text]));
}

/** A button that copies a text; where that is not allowed, as in some frames, it says so. */
function copying(text) {
  const button = make("button", { type: "button", class: "copy" }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select it by hand";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  return button;
}

function facts(rows) {
  const shown = rows.filter(([, value]) => value !== "");
  return make("dl", {}, ...shown.flatMap(([name, ...values]) => [make("dt", {}, name), make("dd", {}, ...values)]));
}

function measures(task) {
  const { size, suite } = task;
  const score = (value) => (value === null ? "not measured" : percent(value));
  return [
    ["Difficulty", `${task.difficulty}, judged by ${task.judged}`],
    ["Size", `${several(size.lines, "line")}, cyclomatic complexity ${size.complexity}, nesting depth ${size.depth}`],
    ["Suite", several(suite.cases, "case") + (suite.lite === null ? "" : `, ${suite.lite} in the lite selection`)],
    ["Expect an exception", `${percent(suite.raising)} of the cases`],
    ["Branch coverage", `${percent(suite.coverage)} of ${several(size.branches, "branch", "branches")}`],
    ["Mutation score", score(suite.mutation)],
    ["With several changes", score(suite.several)],
    ["Instruction by", task.instructed],
    ["Solved", task.solved ? `${task.solved[0]} of ${several(task.solved[1], "attempt")} by ${task.solved[2].join(", ")}` : ""],
  ];
}

function provenance(task) {
  const { origin } = task;
  return [
    ["Project", outside(origin.url, task.project)],
    ["File", outside(origin.file, origin.path)],
    ["Lines", `${origin.lines[0]} to ${origin.lines[1]}`],
    ["Archive", origin.archive],
    ["Version", `${origin.revision} of ${origin.date}`],
    ["Licence", origin.licence],
    ["First seen", origin.first],
    ["Last looked for and not found", origin.absent],
    ["Compared with", origin.baseline.join(", ") || "none named"],
    ["Nearest there", origin.nearest ? `${origin.nearest}, similarity ${percent(origin.similarity)}` : ""],
  ];
}

/** Bring a task that was just opened to the reader. */
function showTask() {
  const title = at("task-title") ?? article;
  const { top } = article.getBoundingClientRect();
  if (top < 0 || top > innerHeight / 2) article.scrollIntoView();
  title.focus({ preventScroll: true });
}

function close() {
  const id = state.task;
  go({ task: "" }, true);
  markOpen();
  focusEntry(itemOf(id) ?? list.firstElementChild);
}

// ---- all together ----

function draw() {
  if (document.activeElement !== search || search.value.trim() !== state.q) search.value = state.q;
  drawList();
  drawTask();
  markOpen();
}

function readAddress() {
  if (isSection(location.hash)) return;
  const before = state.task;
  state = fromHash(location.hash);
  draw();
  if (state.task && state.task !== before) showTask();
}

function onKey(event) {
  const typing = event.target.closest("input, select, textarea");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    if (search.offsetParent === null) close();
    search.focus();
  } else if (event.key === "Escape" && typing === search && search.value) {
    event.preventDefault();
    go({ q: "" });
  } else if (event.key === "Escape" && state.task) {
    close();
  } else if (event.key === "ArrowDown" && typing === search) {
    event.preventDefault();
    focusEntry(list.firstElementChild);
  }
}

function listen() {
  search.addEventListener("input", () => {
    state.q = search.value.trim();
    drawList();
    if (!state.task) drawTask();
    markOpen();
    clearTimeout(pending);
    pending = setTimeout(writeAddress, 300);
  });
  at("filters").addEventListener("change", (event) => {
    if (event.target.id in FILTERS || event.target.id === "sort") go({ [event.target.id]: event.target.value });
  });
  at("filters").addEventListener("submit", (event) => {
    event.preventDefault();
    if (found.length) location.hash = toHash({ ...state, task: found[0].id });
  });
  at("filters").addEventListener("reset", (event) => {
    event.preventDefault();
    go({ ...empty(), task: state.task });
  });
  list.addEventListener("keydown", moveInList);
  list.addEventListener("focusin", (event) => reach(event.target.closest("li")));
  list.addEventListener("click", (event) => {
    if (state.task && event.target.closest("[aria-current]")) showTask();
  });
  WIDE.addEventListener("change", draw);
  more.addEventListener("click", drawMore);
  new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && drawMore()).observe(more);
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", () => {
    readAddress();
    tellHub(location.hash);
  });
}

makeOptions();
panes.hidden = false;
listen();
draw();
readAddress();
