// The grammar of RFC 9535 with the functions class, isa, size and type of `archtool query`.

const FUNCTIONS = {
  length: { takes: ["value"], gives: "value" }, count: { takes: ["nodes"], gives: "value" },
  match: { takes: ["value", "value"], gives: "logical" },
  search: { takes: ["value", "value"], gives: "logical" },
  value: { takes: ["nodes"], gives: "value" }, class: { takes: ["value"], gives: "value" },
  isa: { takes: ["value", "value"], gives: "logical" }, size: { takes: ["value"], gives: "value" },
  type: { takes: ["value"], gives: "value" },
};

class QueryError extends Error {}

class QueryParser {
  constructor(text) {
    this.chars = Array.from(text);
    this.position = 0;
    this.depth = 0;
  }

  parse() {
    if (!this.skip("$")) this.fail("a query begins with '$'");
    const segments = this.segments();
    if (this.position < this.chars.length) {
      this.fail(isBlank(this.peek()) ? "a query must not end in blanks" : `expected '.' or '[', found ${this.found()}`);
    }
    return segments;
  }

  segments() {
    const segments = [];
    for (;;) {
      const start = this.position;
      this.skipBlanks();
      if (this.peek() !== "." && this.peek() !== "[") { this.position = start; return segments; }
      segments.push(this.segment());
    }
  }

  segment() {
    if (this.peek() === "[") return { deep: false, selectors: this.bracketed() };
    this.position++;
    const deep = this.skip(".");
    if (deep && this.peek() === "[") return { deep, selectors: this.bracketed() };
    if (this.skip("*")) return { deep, selectors: [{ type: "wildcard" }] };
    if (!isNameFirst(this.peek())) this.fail(`expected a name or '*' after '.', found ${this.found()}`);
    return { deep, selectors: [{ type: "name", name: this.run((c) => isNameFirst(c) || isDigit(c)) }] };
  }

  bracketed() {
    this.position++;
    const selectors = [];
    do {
      this.skipBlanks();
      selectors.push(this.selector());
      this.skipBlanks();
    } while (this.skip(","));
    if (!this.skip("]")) this.fail(`expected ',' or ']', found ${this.found()}`);
    return selectors;
  }

  selector() {
    const c = this.peek();
    if (c === "'" || c === '"') return { type: "name", name: this.string() };
    if (this.skip("*")) return { type: "wildcard" };
    if (this.skip("?")) {
      this.skipBlanks();
      return { type: "filter", condition: this.condition() };
    }
    return this.indexOrSlice();
  }

  indexOrSlice() {
    const start = this.integer();
    const afterStart = this.position;
    this.skipBlanks();
    if (!this.skip(":")) {
      this.position = afterStart;
      if (start === null) this.fail(`expected a name in quotes, a number, '*', ':' or '?', found ${this.found()}`);
      return { type: "index", index: start };
    }
    this.skipBlanks();
    const end = this.integer();
    const afterEnd = this.position;
    this.skipBlanks();
    if (!this.skip(":")) { this.position = afterEnd; return { type: "slice", start, end, step: 1 }; }
    const afterColon = this.position;
    this.skipBlanks();
    const step = this.integer();
    if (step === null) this.position = afterColon;
    return { type: "slice", start, end, step: step ?? 1 };
  }

  /// An integer without leading zeros and without `-0`.
  integer() {
    if (this.peek() !== "-" && !isDigit(this.peek())) return null;
    const start = this.position;
    const sign = this.skip("-") ? "-" : "";
    const digits = this.run(isDigit);
    if (!digits) this.fail(`expected a digit after '-', found ${this.found()}`);
    if (digits === "0" ? sign : digits[0] === "0") {
      this.position = start;
      this.fail("an integer has no leading zeros and no '-0'");
    }
    const number = Number(sign + digits);
    if (!Number.isSafeInteger(number)) {
      this.position = start;
      this.fail("an integer must be within ±(2^53 - 1)");
    }
    return number;
  }

  condition() {
    if (++this.depth > 100) this.fail("a query may be nested at most 100 deep");
    const result = this.joined("||", "any", () => this.joined("&&", "all", () => this.basicCondition()));
    this.depth--;
    return result;
  }

  joined(sign, type, part) {
    const parts = [part()];
    for (;;) {
      const start = this.position;
      this.skipBlanks();
      if (!this.skip(sign)) { this.position = start; break; }
      this.skipBlanks();
      parts.push(part());
    }
    return parts.length === 1 ? parts[0] : { type, parts };
  }

  basicCondition() {
    if (this.skip("!")) {
      this.skipBlanks();
      return { type: "not", part: this.peek() === "(" ? this.parenthesized() : this.test(false) };
    }
    if (this.peek() === "(") return this.parenthesized();
    const start = this.position;
    const literal = this.literal();
    if (literal) {
      const sign = this.comparison();
      if (!sign) { this.position = start; this.fail("a literal must be compared with something"); }
      return { type: "compare", left: literal, sign, right: this.operand() };
    }
    const test = this.test(true);
    const end = this.position;
    const sign = this.comparison();
    if (!sign) return test;
    if (test.type === "exists") {
      this.requireSingular(test.query, start);
      return { type: "compare", left: { type: "query", query: test.query }, sign, right: this.operand() };
    }
    if (FUNCTIONS[test.name].gives === "value") return { type: "compare", left: test, sign, right: this.operand() };
    this.position = end;
    this.fail(`what '${test.name}' says is true or false and cannot be compared`);
  }

  parenthesized() {
    this.position++;
    this.skipBlanks();
    const inner = this.condition();
    this.skipBlanks();
    if (!this.skip(")")) this.fail(`expected ')', found ${this.found()}`);
    return inner;
  }

  test(mayBeCompared) {
    const start = this.position;
    const query = this.subquery();
    if (query) return { type: "exists", query };
    const call = this.call();
    if (!call) this.fail(`expected a query, a function, a literal or '(', found ${this.found()}`);
    if (FUNCTIONS[call.name].gives === "value") {
      const end = this.position;
      const isCompared = mayBeCompared && this.comparison() !== null;
      this.position = end;
      if (!isCompared) {
        this.position = start;
        this.fail(`what '${call.name}' gives must be compared with something`);
      }
    }
    return call;
  }

  operand() {
    const start = this.position;
    const literal = this.literal();
    if (literal) return literal;
    const query = this.subquery();
    if (query) {
      this.requireSingular(query, start);
      return { type: "query", query };
    }
    const call = this.call();
    if (!call) this.fail(`expected a query, a function or a literal, found ${this.found()}`);
    if (FUNCTIONS[call.name].gives !== "value") {
      this.position = start;
      this.fail(`what '${call.name}' says is true or false and is no value`);
    }
    return call;
  }

  requireSingular(query, start) {
    if (isSingular(query)) return;
    this.position = start;
    this.fail("a query that may lead to several values is no value");
  }

  comparison() {
    const start = this.position;
    this.skipBlanks();
    for (const sign of ["==", "!=", "<=", ">=", "<", ">"]) {
      if (this.skip(sign)) { this.skipBlanks(); return sign; }
    }
    this.position = start;
    return null;
  }

  subquery() {
    const c = this.peek();
    if (c !== "@" && c !== "$") return null;
    this.position++;
    return { relative: c === "@", segments: this.segments() };
  }

  call() {
    const start = this.position;
    if (!/^[a-z]$/.test(this.peek() ?? "")) return null;
    const name = this.run((c) => /^[a-z_0-9]$/.test(c));
    if (!this.skip("(")) { this.position = start; return null; }
    if (!Object.hasOwn(FUNCTIONS, name)) {
      this.position = start;
      this.fail(`there is no function '${name}'; there are ${Object.keys(FUNCTIONS).join(", ")}`);
    }
    const { takes } = FUNCTIONS[name];
    if (++this.depth > 100) this.fail("a query may be nested at most 100 deep");
    const args = [];
    this.skipBlanks();
    if (!this.skip(")")) {
      do {
        this.skipBlanks();
        if (args.length === takes.length) break;
        args.push(this.argument(takes[args.length], name));
        this.skipBlanks();
      } while (this.skip(","));
      if (!this.skip(")")) this.fail(`expected ',' or ')', found ${this.found()}`);
    }
    this.depth--;
    if (args.length !== takes.length) {
      this.position = start;
      this.fail(`'${name}' takes ${takes.length === 1 ? "1 argument" : `${takes.length} arguments`}, not ${args.length}`);
    }
    return { type: "call", name, args };
  }

  argument(parameter, name) {
    if (parameter === "value") return this.operand();
    const query = this.subquery();
    if (!query) this.fail(`'${name}' takes a query, found ${this.found()}`);
    return { type: "query", query };
  }

  literal() {
    const c = this.peek();
    if (c === "'" || c === '"') return { type: "literal", value: this.string() };
    if (c === "-" || isDigit(c)) return { type: "literal", value: this.number() };
    for (const [word, value] of [["true", true], ["false", false], ["null", null]]) {
      const start = this.position;
      if (!this.skip(word)) continue;
      const next = this.peek();
      if (isNameFirst(next) || isDigit(next) || next === "(") { this.position = start; continue; }
      return { type: "literal", value };
    }
    return null;
  }

  number() {
    const start = this.position;
    this.skip("-");
    const whole = this.run(isDigit);
    if (!whole || whole !== "0" && whole[0] === "0") {
      this.position = start;
      this.fail("a number has no leading zeros");
    }
    let isReal = false;
    if (this.skip(".")) {
      isReal = true;
      if (!this.run(isDigit)) this.fail(`expected a digit after '.', found ${this.found()}`);
    }
    if (this.skip("e") || this.skip("E")) {
      isReal = true;
      if (!this.skip("-")) this.skip("+");
      if (!this.run(isDigit)) this.fail(`expected a digit of the exponent, found ${this.found()}`);
    }
    const digits = this.chars.slice(start, this.position).join("");
    const number = isReal ? Number(digits) : exactInteger(digits);
    if (typeof number === "number" && !Number.isFinite(number)) {
      this.position = start;
      this.fail("the number is too large");
    }
    return number;
  }

  string() {
    const quote = this.chars[this.position++];
    let text = "";
    for (;;) {
      const c = this.peek();
      if (c === undefined) this.fail(`the string has no closing ${quote}`);
      if (c < " ") this.fail("a control character must be escaped in a string");
      this.position++;
      if (c === quote) return text;
      text += c === "\\" ? this.escape(quote) : c;
    }
  }

  escape(quote) {
    const c = this.chars[this.position++];
    const simple = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", "/": "/", "\\": "\\" };
    if (c === quote) return quote;
    if (c !== undefined && Object.hasOwn(simple, c)) return simple[c];
    if (c !== "u") {
      this.position--;
      this.fail(`there is no escape '\\${c ?? ""}'`);
    }
    const unit = this.hexUnit();
    if (unit >= 0xdc00 && unit <= 0xdfff) this.fail("half of a surrogate pair");
    if (unit < 0xd800 || unit > 0xdbff) return String.fromCharCode(unit);
    if (!this.skip("\\u")) this.fail("half of a surrogate pair");
    const low = this.hexUnit();
    if (low < 0xdc00 || low > 0xdfff) this.fail("half of a surrogate pair");
    return String.fromCharCode(unit, low);
  }

  hexUnit() {
    const digits = this.chars.slice(this.position, this.position + 4).join("");
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.fail("'\\u' needs four hexadecimal digits");
    this.position += 4;
    return parseInt(digits, 16);
  }

  peek() { return this.chars[this.position]; }
  found() { return this.peek() === undefined ? "the end" : `'${this.peek()}'`; }
  skipBlanks() { while (isBlank(this.peek())) this.position++; }

  skip(word) {
    for (let i = 0; i < word.length; i++) if (this.chars[this.position + i] !== word[i]) return false;
    this.position += word.length;
    return true;
  }

  run(belongs) {
    const start = this.position;
    while (this.position < this.chars.length && belongs(this.peek())) this.position++;
    return this.chars.slice(start, this.position).join("");
  }

  fail(message) {
    throw new QueryError(`${message}, at character ${Math.min(this.position, this.chars.length) + 1}`);
  }
}

function isBlank(c) { return c === " " || c === "\t" || c === "\n" || c === "\r"; }
function isDigit(c) { return c !== undefined && c >= "0" && c <= "9"; }
function isNameFirst(c) { return c !== undefined && (/^[A-Za-z_]$/.test(c) || c.codePointAt(0) >= 0x80); }

function isSingular(query) {
  return query.segments.every(({ deep, selectors }) =>
    !deep && selectors.length === 1 && (selectors[0].type === "name" || selectors[0].type === "index"));
}

/// An integer as a number where that is exact, else as a BigInt.
function exactInteger(digits) {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}
