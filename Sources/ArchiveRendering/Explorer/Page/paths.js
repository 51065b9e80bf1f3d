// Paths of values in three languages, and the way back from a path to a value.

/// The steps of a trail of edges: keys, indexes, and `{content}` where an archive in data is entered.
function stepsOf(model, trail) {
  return trail.map((edge) => {
    const kind = model.contentKind.get(model.edgeParent[edge]);
    return kind === undefined ? model.key(edge) : { content: kind };
  });
}

const IDENTIFIER = /^(?:[A-Za-z_]|(?=\P{ASCII})\p{Alphabetic})(?:[A-Za-z0-9_]|(?=\P{ASCII})\p{Alphabetic})*$/u;

/// The path as every command shows it: `$.movies[3].title`.
function ownPath(steps) {
  let path = "$";
  for (const step of steps) {
    if (typeof step === "number") path += `[${step}]`;
    else if (typeof step === "object") path += `⟨${step.content}⟩`;
    else path += IDENTIFIER.test(step) ? `.${step}` : `[${quotedKey(step, false)}]`;
  }
  return path;
}

/// The normalized path of RFC 9535: `$['movies'][3]['title']`.
function jsonPathOf(steps) {
  let path = "$";
  for (const step of steps) {
    if (typeof step === "number") path += `[${step}]`;
    else if (typeof step === "string") path += `[${quotedKey(step, true)}]`;
  }
  return path;
}

/// The JSON Pointer of RFC 6901: `/movies/3/title`.
function pointerOf(steps) {
  return steps
    .filter((step) => typeof step !== "object")
    .map((step) => "/" + String(step).replace(/~/g, "~0").replace(/\//g, "~1"))
    .join("");
}

const ESCAPES = { "'": "\\'", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f" };

function quotedKey(key, isNormal) {
  const controls = isNormal ? /['\\\u0000-\u001f]/g : /['\\\u0000-\u001f\u007f-\u009f]/g;
  return "'" + key.replace(controls, (c) =>
    ESCAPES[c] ?? "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0")) + "'";
}

/// The trail that a path in any notation of the commands leads to; null if it leads nowhere.
function findPath(model, text) {
  const steps = stepsOfText(text);
  if (!steps) return null;
  let node = 0;
  const trail = [];
  for (const step of steps) {
    // A path may name the archive in data, or go on without it.
    if (step.content) continue;
    for (; model.kind(node) === "D"; node = model.child[model.start[node]]) trail.push(model.start[node]);
    let edge = -1;
    for (let e = model.start[node]; e < model.start[node + 1]; e++) {
      if (model.isList(node) ? e - model.start[node] === Number(step.key) && /^(?:0|[1-9]\d*)$/.test(step.key)
        : model.key(e) === step.key) { edge = e; break; }
    }
    if (edge < 0) return null;
    trail.push(edge);
    node = model.child[edge];
  }
  return trail;
}

function stepsOfText(text) {
  if (/^\$(?:[.[⟨]|$)/u.test(text)) return dollarSteps(text);
  if (text === "" || text.startsWith("/")) return pointerSteps(text);
  return text.startsWith(":") ? separatedSteps(text.slice(1), ":") : separatedSteps(text, ".");
}

/// The steps of PlistBuddy and of plutil; a backslash precedes a separator or a backslash that is part of a key.
function separatedSteps(text, separator) {
  if (text === "") return [];
  const keys = [""];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "\\" && (text[i + 1] === separator || text[i + 1] === "\\")) keys[keys.length - 1] += text[++i];
    else if (text[i] === separator) keys.push("");
    else keys[keys.length - 1] += text[i];
  }
  return keys.map((key) => ({ key }));
}

function pointerSteps(text) {
  return text.split("/").slice(1).map((part) => ({ key: part.replace(/~1/g, "/").replace(/~0/g, "~") }));
}

function dollarSteps(text) {
  const steps = [];
  const part = /\.([^.[⟨]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|⟨([^⟩]*)⟩/uy;
  part.lastIndex = 1;
  while (part.lastIndex < text.length) {
    const match = part.exec(text);
    if (!match) return null;
    const key = match[3] ?? match[4];
    if (match[5] !== undefined) steps.push({ content: true });
    else steps.push({ key: key === undefined ? match[1] ?? match[2] : unescapedKey(key) });
  }
  return steps;
}

function unescapedKey(key) {
  return key.replace(/\\(u([0-9a-fA-F]{4})|.)/gu, (_, c, hex) =>
    hex ? String.fromCharCode(parseInt(hex, 16)) : { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" }[c] ?? c);
}
