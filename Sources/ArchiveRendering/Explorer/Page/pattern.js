// I-Regexp (RFC 9485) as JavaScript's regular expressions, the way `archtool query` translates it.

const CATEGORIES = new Set(
  ("L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps Z Zl Zp Zs S Sc Sk Sm So C Cc Cf Cn Co").split(" "));

/// The expression without anchors; null if it is no I-Regexp.
function translatePattern(pattern) {
  const chars = Array.from(pattern);
  let position = 0, open = 0, result = "";

  function escape(inClass) {
    const c = chars[position++];
    if (c === "-") { result += inClass ? "\\-" : "-"; return true; }
    if (c !== undefined && "()*+.?[\\]^nrt{|}".includes(c)) { result += "\\" + c; return true; }
    if (c !== "p" && c !== "P" || chars[position] !== "{") return false;
    const end = chars.indexOf("}", position);
    const name = end < 0 ? "" : chars.slice(position + 1, end).join("");
    if (!CATEGORIES.has(name)) return false;
    result += `\\${c}{${name}}`;
    position = end + 1;
    return true;
  }

  function classExpression() {
    result += "[";
    if (chars[position] === "^") { result += "^"; position++; }
    for (let isFirst = true; position < chars.length; isFirst = false) {
      const c = chars[position];
      if (c === "]" && !isFirst) { result += "]"; position++; return true; }
      if (c === "[" || c === "]") return false;
      position++;
      if (c === "\\") { if (!escape(true)) return false; }
      else if (c === "-") result += isFirst || chars[position] === "]" ? "\\-" : "-";
      else result += c;
    }
    return false;
  }

  function quantifier() {
    const c = chars[position];
    if (c === "*" || c === "+" || c === "?") { result += c; position++; return true; }
    if (c !== "{") return true;
    const end = chars.indexOf("}", position);
    const range = end < 0 ? "" : chars.slice(position, end + 1).join("");
    if (!/^\{\d+(,\d*)?\}$/.test(range)) return false;
    result += range;
    position = end + 1;
    return true;
  }

  function piece() {
    const c = chars[position++];
    if (c === "(") { open++; result += "(?:"; return true; }
    if (c === "|") { result += "|"; return true; }
    if (c === ")") { open--; result += ")"; return open >= 0 && quantifier(); }
    if (c === ".") { result += "[^\\n\\r]"; return quantifier(); }
    if (c === "[") return classExpression() && quantifier();
    if (c === "\\") return escape(false) && quantifier();
    if ("*+?]{}".includes(c)) return false;
    // Anchors are characters of I-Regexp that JavaScript treats as its own.
    result += c;
    return quantifier();
  }

  while (position < chars.length) if (!piece()) return null;
  return open === 0 ? result : null;
}

const patterns = new Map();

/// Whether a text matches; an invalid pattern matches nothing.
function matchesPattern(pattern, text, isWhole) {
  const key = (isWhole ? "m" : "s") + pattern;
  if (!patterns.has(key)) {
    const body = translatePattern(pattern) ?? pattern;
    let compiled = null;
    try {
      compiled = new RegExp(isWhole ? `^(?:${body})$` : body, "u");
    } catch { /* matches nothing */ }
    if (patterns.size > 64) patterns.clear();
    patterns.set(key, compiled);
  }
  return patterns.get(key)?.test(text) ?? false;
}
