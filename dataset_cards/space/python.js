// Python code as elements: what is a keyword, a name that is defined, a text, a number or a comment has a class.
// It reads tokens and no grammar, and whatever it does not know stays as it is: the text is the same in any case.
"use strict";

const KEYWORDS = new Set(("and as assert async await break case class continue def del elif else except finally for from " +
  "global if import in is lambda match nonlocal not or pass raise return try while with yield").split(" "));
const CONSTANTS = new Set(["None", "True", "False", "Ellipsis", "NotImplemented"]);
const SOFT = new Set(["case", "match"]); // names, unless a line begins with them and ends with a colon
const PYTHON = new RegExp([
  /(?<comment>#[^\n]*)/,
  /(?<text>\b[rbfu]{1,2}|)(?<quoted>"""(?:\\[^]|[^\\])*?(?:"""|$)|'''(?:\\[^]|[^\\])*?(?:'''|$)|"(?:\\[^]|[^\\"\n])*"?|'(?:\\[^]|[^\\'\n])*'?)/,
  /(?<decorator>(?<=(?:^|\n)[ \t]*)@[\p{L}\p{N}_.]+)/,
  /(?<number>(?:0[xob][\da-f_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:e[+-]?\d+)?j?))/,
  /(?<name>[\p{L}_][\p{L}\p{N}_]*)/,
].map((one) => one.source).join("|"), "giu");

/** The parts of a text, in order: strings, and elements with the text of a token. */
function pythonParts(text) {
  const parts = [];
  let end = 0, before = "";
  for (const found of text.matchAll(PYTHON)) {
    const kind = kindOf(found, before, text);
    if (found.groups.name) before = found[0];
    if (!kind) continue;
    if (found.index > end) parts.push(text.slice(end, found.index));
    const token = document.createElement("span");
    token.className = `py-${kind}`;
    token.textContent = found[0];
    parts.push(token);
    end = found.index + found[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}

/** What a token is; "" for what looks like the text around it, as descriptions in three quotes do. */
function kindOf({ groups, index }, before, text) {
  if (groups.comment) return "comment";
  if (groups.quoted) return isDescription(groups.quoted, index, text) ? "" : "text";
  if (groups.decorator) return "decorator";
  if (groups.number) return "number";
  if (before === "def" || before === "class") return "defined";
  if (text[index - 1] === ".") return "";
  if (CONSTANTS.has(groups.name)) return "constant";
  return KEYWORDS.has(groups.name) && (!SOFT.has(groups.name) || beginsBlock(index, text)) ? "keyword" : "";
}

function isDescription(quoted, index, text) {
  return quoted.length > 5 && /^("""|''')/.test(quoted) && /(^|\n)[ \t]*$/.test(text.slice(Math.max(0, index - 80), index));
}

function beginsBlock(index, text) {
  const start = text.lastIndexOf("\n", index - 1) + 1;
  const stop = text.indexOf("\n", index);
  return !text.slice(start, index).trim() && text.slice(index, stop < 0 ? text.length : stop).trimEnd().endsWith(":");
}
