// Runs queries (RFC 9535) over the graph, in the order and with the answers of `archtool query`.

/// What a query without results gives.
const NOTHING = Symbol("nothing");
const MOST_VISITS = 20_000_000;

class Query {
  constructor(model, text) {
    this.model = model;
    this.segments = new QueryParser(text).parse();
  }

  /// The results as trails of edges, up to a number of them.
  run(root = 0, most = Infinity) {
    this.root = root;
    this.visits = 0;
    const results = [];
    this.walk({ segments: this.segments }, root, (node, trail) => {
      results.push(trail.slice());
      return results.length < most;
    }, true);
    return results;
  }

  /// Gives each result with its trail to a function, which may end the walk with false.
  ///
  /// A `..` visits each object once: by the shortest path from where it begins if that matters, else by any.
  /// The stack is its own: archives may be deeper than JavaScript's.
  walk({ segments }, start, give, byShortestPaths = false) {
    const trail = [];
    if (segments.length === 0) return give(start, trail);
    // For each `..` what it has visited since it began, and the edges of the shortest paths.
    const visited = [], shortest = [];
    const stack = [];
    const enter = (node, at, mark, edge) => {
      const inner = this.enterData(node, trail);
      if (!this.model.isContainer(inner)) { trail.length = mark; return; }
      if (segments[at].deep && !this.model.isTree) {
        if (edge === undefined) {
          visited[at] = new Set();
          shortest[at] = byShortestPaths ? this.shortestEdges(inner) : null;
        } else if (shortest[at] ? !shortest[at].has(edge) : visited[at].has(inner)) {
          trail.length = mark;
          return;
        }
        visited[at].add(inner);
      }
      stack.push({ node: inner, at, mark, chosen: this.choose(segments[at], inner), next: 0 });
    };
    enter(start, 0, 0);
    while (stack.length) {
      const level = stack[stack.length - 1];
      const segment = segments[level.at];
      const { value: pick, done } = level.chosen.next();
      if (done) {
        stack.pop();
        trail.length = level.mark;
        continue;
      }
      this.visit();
      const mark = trail.length;
      trail.push(pick.edge);
      const child = this.model.child[pick.edge];
      if (pick.deep) enter(child, level.at, mark, pick.edge);
      else if (level.at + 1 < segments.length) enter(child, level.at + 1, mark);
      else {
        if (give(child, trail) === false) return false;
        trail.length = mark;
      }
    }
    return true;
  }

  /// The edges by which a search that is breadth first reaches containers and data below a node.
  shortestEdges(start) {
    const model = this.model;
    const reached = new Set([start]), edges = new Set(), queue = [start];
    for (const node of queue) {
      this.visit();
      for (let edge = model.start[node]; edge < model.start[node + 1]; edge++) {
        const child = model.child[edge];
        if (!model.mayHaveChildren(child) || reached.has(child)) continue;
        reached.add(child);
        edges.add(edge);
        queue.push(child);
      }
    }
    return edges;
  }

  /// Goes through data to the archive in it, and adds those edges to a trail.
  enterData(node, trail) {
    while (this.model.kind(node) === "D") {
      trail.push(this.model.start[node]);
      node = this.model.child[this.model.start[node]];
    }
    return node;
  }

  visit() {
    if (++this.visits > MOST_VISITS) throw new QueryError(`the query looks at over ${MOST_VISITS} values`);
  }

  /// The edges that the selectors of a segment choose, then, for `..`, all of them.
  *choose(segment, node) {
    for (const selector of segment.selectors) yield* this.select(selector, node);
    if (segment.deep) {
      for (let edge = this.model.start[node]; edge < this.model.start[node + 1]; edge++) yield { edge, deep: true };
    }
  }

  *select(selector, node) {
    const model = this.model;
    const start = model.start[node], size = model.size(node);
    switch (selector.type) {
      case "name": case "index": {
        const edge = this.member(selector, node);
        if (edge >= 0) yield { edge };
        break;
      }
      case "wildcard":
        for (let i = 0; i < size; i++) yield { edge: start + i };
        break;
      case "slice":
        if (model.isList(node)) for (const i of sliceOf(selector, size)) yield { edge: start + i };
        break;
      case "filter":
        for (let i = 0; i < size; i++) {
          this.visit();
          if (this.holds(selector.condition, model.child[start + i])) yield { edge: start + i };
        }
        break;
    }
  }

  /// The edge that a name or an index chooses; -1 if there is none.
  member(selector, node) {
    const model = this.model;
    const start = model.start[node], size = model.size(node);
    if (selector.type === "index") {
      const i = selector.index < 0 ? size + selector.index : selector.index;
      return model.isList(node) && i >= 0 && i < size ? start + i : -1;
    }
    if (model.isList(node)) return -1;
    const shape = model.shapes[model.shape[node]];
    for (let i = 0; i < size; i++) if (model.keys[shape[i]] === selector.name) return start + i;
    return -1;
  }

  holds(condition, node) {
    switch (condition.type) {
      case "any": return condition.parts.some((part) => this.holds(part, node));
      case "all": return condition.parts.every((part) => this.holds(part, node));
      case "not": return !this.holds(condition.part, node);
      case "exists": {
        let found = false;
        this.nested(condition.query, node, () => { found = true; return false; });
        return found;
      }
      case "call": return this.logical(condition, node);
      default: {
        const { left, sign, right } = condition;
        const one = this.value(left, node), other = this.value(right, node);
        return this.compare(one, sign, other) || sign === "=="
          && (this.describesData(left, node, other) || this.describesData(right, node, one));
      }
    }
  }

  nested(query, node, give) { this.walk(query, query.relative ? node : this.root, give); }

  /// The node of a singular query; -1 if there is none.
  single(query, node) {
    let current = query.relative ? node : this.root;
    for (const { selectors } of query.segments) {
      this.visit();
      current = this.model.inner(current);
      if (!this.model.isContainer(current)) return -1;
      const edge = this.member(selectors[0], current);
      if (edge < 0) return -1;
      current = this.model.child[edge];
    }
    return current;
  }

  // Values: null, booleans, numbers, BigInts, strings, NOTHING, { date }, { data } and { node } for containers.

  value(operand, node) {
    if (operand.type === "literal") return operand.value;
    if (operand.type === "call") return this.result(operand, node);
    const found = this.single(operand.query, node);
    return found < 0 ? NOTHING : this.nodeValue(found);
  }

  nodeValue(node) {
    node = this.model.inner(node);
    const text = this.model.text(node);
    switch (this.model.kind(node)) {
      case "n": return null;
      case "b": return text === 1;
      case "i": case "u": return exactInteger(text);
      case "r": return realOf(text);
      case "d": return { date: text };
      case "s": return text;
      case "x": return { data: text };
      default: return { node };
    }
  }

  /// The class or the type of a node.
  described(name, node) {
    return name === "type" ? this.model.typeName(node) : this.model.className(node) ?? NOTHING;
  }

  /// Whether a value is the class or the type of data whose archive has others.
  describesData(operand, node, other) {
    if (operand.type !== "call" || operand.name !== "class" && operand.name !== "type") return false;
    if (operand.args[0].type !== "query") return false;
    const found = this.single(operand.args[0].query, node);
    return found >= 0 && this.model.kind(found) === "D"
      && this.model.layers(found).some((layer) => scalarsEqual(this.described(operand.name, layer), other));
  }

  compare(left, sign, right) {
    switch (sign) {
      case "==": return this.equal(left, right);
      case "!=": return !this.equal(left, right);
      case "<": return isLess(left, right);
      case ">": return isLess(right, left);
      case "<=": return isLess(left, right) || this.equal(left, right);
      default: return isLess(right, left) || this.equal(left, right);
    }
  }

  equal(left, right) {
    if (isObject(left) && "node" in left && isObject(right) && "node" in right) {
      return this.sameContent(left.node, right.node);
    }
    return scalarsEqual(left, right);
  }

  /// The same elements in order, the same members in any order; pairs are compared once, since graphs may have cycles.
  sameContent(left, right) {
    const model = this.model;
    const known = new Set(), waiting = [[left, right]];
    while (waiting.length) {
      const [a, b] = waiting.pop();
      const pair = `${a} ${b}`;
      if (a === b || known.has(pair)) continue;
      known.add(pair);
      if (model.isList(a) !== model.isList(b) || model.size(a) !== model.size(b)) return false;
      for (let i = 0; i < model.size(a); i++) {
        this.visit();
        const one = model.start[a] + i;
        const other = model.isList(a) ? model.start[b] + i : this.member({ type: "name", name: model.key(one) }, b);
        if (other < 0) return false;
        const x = this.nodeValue(model.child[one]), y = this.nodeValue(model.child[other]);
        if (isObject(x) && "node" in x && isObject(y) && "node" in y) waiting.push([x.node, y.node]);
        else if (!scalarsEqual(x, y)) return false;
      }
    }
    return true;
  }

  result({ name, args }, node) {
    const [first] = args;
    if (name === "count" || name === "value") {
      const found = [];
      this.nested(first.query, node, (child) => {
        found.push(child);
        return name === "count" || found.length < 2;
      });
      if (name === "count") return found.length;
      return found.length === 1 ? this.nodeValue(found[0]) : NOTHING;
    }
    if (name === "length") {
      const value = this.value(first, node);
      if (typeof value === "string") return Array.from(value).length;
      return isObject(value) && "node" in value ? this.model.size(value.node) : NOTHING;
    }
    if (first.type !== "query") return name === "type" ? typeOfValue(this.value(first, node)) : NOTHING;
    const found = this.single(first.query, node);
    if (found < 0) return NOTHING;
    if (name === "class" || name === "type") return this.described(name, this.model.inner(found));
    const text = this.model.text(found);
    switch (this.model.kind(found)) {
      case "x": return bytesOf(text);
      case "D": return text;
      case "s": return new TextEncoder().encode(text).length;
      default: return this.model.isContainer(found) ? this.model.size(found) : NOTHING;
    }
  }

  logical({ name, args: [first, second] }, node) {
    const text = stringOf(this.value(second, node));
    if (text === null) return false;
    if (name === "isa") {
      if (first.type !== "query") return false;
      const found = this.single(first.query, node);
      return found >= 0 && this.model.layers(found).some((layer) => {
        const own = this.model.classes[this.model.cls[layer]];
        return own !== undefined && (own.display === text || own.chain.includes(text));
      });
    }
    const subject = stringOf(this.value(first, node));
    return subject !== null && matchesPattern(text, subject, name === "match");
  }
}

function isObject(value) { return typeof value === "object" && value !== null; }
function isNumber(value) { return typeof value === "number" || typeof value === "bigint"; }

function realOf(text) {
  return text === "Infinity" ? Infinity : text === "-Infinity" ? -Infinity : Number(text);
}

/// The text of a string or a date; null for others.
function stringOf(value) {
  if (typeof value === "string") return value;
  return isObject(value) && "date" in value ? value.date : null;
}

/// Seconds of a date or of a text in RFC 3339; null for others.
function secondsOf(value) {
  const text = stringOf(value);
  const match = text === null ? null
    : /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.exec(text);
  if (!match) return null;
  const milliseconds = Date.parse(`${match[1]}T${match[2]}${match[4].toUpperCase()}`);
  return Number.isNaN(milliseconds) ? null : milliseconds / 1000 + Number(match[3] ?? 0);
}

function scalarsEqual(left, right) {
  if (isNumber(left) && isNumber(right)) {
    return left == right || Number.isNaN(left) && Number.isNaN(right); // eslint-disable-line eqeqeq -- numbers and BigInts
  }
  if (isObject(left) && "date" in left || isObject(right) && "date" in right) {
    const one = secondsOf(left);
    return one !== null && one === secondsOf(right);
  }
  if (isObject(left) && "data" in left || isObject(right) && "data" in right) {
    const textOf = (value) => isObject(value) ? value.data : typeof value === "string" ? value : undefined;
    return textOf(left) !== undefined && textOf(left) === textOf(right);
  }
  return left === right;
}

function isLess(left, right) {
  if (isNumber(left) && isNumber(right)) return left < right;
  if (isObject(left) && "date" in left || isObject(right) && "date" in right) {
    const one = secondsOf(left), two = secondsOf(right);
    return one !== null && two !== null && one < two;
  }
  if (typeof left !== "string" || typeof right !== "string") return false;
  // By code points: surrogates are less than U+E000 in code units.
  const a = Array.from(left), b = Array.from(right);
  for (let i = 0; i < a.length && i < b.length; i++) {
    if (a[i] !== b[i]) return a[i].codePointAt(0) < b[i].codePointAt(0);
  }
  return a.length < b.length;
}

function typeOfValue(value) {
  if (value === null) return "null";
  if (typeof value === "bigint") return "integer";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "real";
  if (typeof value === "boolean" || typeof value === "string") return typeof value;
  return NOTHING;
}

/// The indexes of a slice (RFC 9535, 2.3.4.2.2).
function* sliceOf({ start, end, step }, size) {
  const bound = (i, least, most) => Math.min(Math.max(i < 0 ? size + i : i, least), most);
  if (step > 0) {
    const last = bound(end ?? size, 0, size);
    for (let i = bound(start ?? 0, 0, size); i < last; i += step) yield i;
  } else if (step < 0) {
    const last = end === null ? -1 : bound(end, -1, size - 1);
    for (let i = bound(start ?? size - 1, -1, size - 1); i > last; i += step) yield i;
  }
}
