// The graph: nodes in columns, as ExplorerData.swift writes them, and what is derived from them.

const LISTS = "aSo";
const MAPS = "mO";
const TYPE_NAMES = {
  n: "null", b: "boolean", i: "integer", r: "real", d: "date", x: "data", D: "data", s: "string",
  u: "UID", a: "array", S: "set", o: "ordered set", m: "dictionary", O: "object",
};

class Model {
  constructor(data) {
    this.data = data;
    this.facts = data.facts;
    this.kinds = data.kinds;
    this.count = data.kinds.length;
    this.keys = data.keys;
    this.classes = data.classes.map(([display, name, chain]) => ({ display, name, chain }));
    this.notes = data.notes;
    this.readClasses(data.cls);
    this.readTexts(data.texts);
    this.readEdges(data);
    this.readPlaces(data);
    this.marks = new Map();
    for (const [node, kind, message] of data.marks) {
      if (!this.marks.has(node)) this.marks.set(node, []);
      this.marks.get(node).push({ kind, message });
    }
  }

  readClasses(runs) {
    this.cls = new Int32Array(this.count).fill(-1);
    let node = 0;
    for (let i = 0; i < runs.length; i += 2) {
      this.cls.fill(runs[i + 1] - 1, node, node + runs[i]);
      node += runs[i];
    }
  }

  readTexts(texts) {
    this.texts = texts;
    this.textIndex = new Int32Array(this.count).fill(-1);
    let next = 0;
    for (let node = 0; node < this.count; node++) {
      const kind = this.kinds[node];
      if (kind !== "n" && !LISTS.includes(kind) && !MAPS.includes(kind)) {
        this.textIndex[node] = next++;
      }
    }
  }

  /// The children of node n are the edges from start[n] to start[n + 1].
  readEdges({ kids, sizes, shapes, contents }) {
    const total = kids.length;
    this.start = new Int32Array(this.count + 1);
    this.child = new Int32Array(total);
    this.edgeParent = new Int32Array(total);
    this.firstEdge = new Int32Array(this.count).fill(-1);
    this.shape = new Int32Array(this.count).fill(-1);
    this.shapes = shapes;
    this.contentKind = new Map();
    let edge = 0, size = 0, content = 0, next = 1;
    for (let node = 0; node < this.count; node++) {
      this.start[node] = edge;
      const kind = this.kinds[node];
      let length = 0;
      if (LISTS.includes(kind)) {
        length = sizes[size++];
      } else if (MAPS.includes(kind)) {
        this.shape[node] = sizes[size++];
        length = shapes[this.shape[node]].length;
      } else if (kind === "D") {
        this.contentKind.set(node, contents[content++]);
        length = 1;
      }
      for (const end = edge + length; edge < end; edge++) {
        const child = kids[edge] ? kids[edge] - 1 : next++;
        this.child[edge] = child;
        this.edgeParent[edge] = node;
        if (child && this.firstEdge[child] < 0) this.firstEdge[child] = edge;
      }
    }
    this.start[this.count] = edge;
  }

  readPlaces({ at, len }) {
    this.offset = new Int32Array(this.count);
    this.length = Int32Array.from(len);
    /// Where the bytes of a value begin in those of the page.
    this.bytesAt = new Int32Array(this.count);
    let end = 0, place = 0;
    for (let node = 0; node < this.count; node++) {
      this.offset[node] = at[node] + end;
      end = this.offset[node] + len[node];
      this.bytesAt[node] = this.data.bytes === "values" ? place : this.offset[node];
      place += len[node];
    }
  }

  kind(node) { return this.kinds[node]; }
  typeName(node) { return TYPE_NAMES[this.kinds[node]]; }
  className(node) { return this.cls[node] < 0 ? null : this.classes[this.cls[node]].display; }
  isList(node) { return LISTS.includes(this.kinds[node]); }
  isContainer(node) { return this.isList(node) || MAPS.includes(this.kinds[node]); }
  mayHaveChildren(node) { return this.kinds[node] === "D" || this.isContainer(node); }
  /// Whether a value is one wherever it is referred to; others that are equal may be stored once.
  isObject(node) {
    return this.mayHaveChildren(node) || this.cls[node] >= 0 || this.data.archive && this.kinds[node] === "s";
  }
  size(node) { return this.start[node + 1] - this.start[node]; }

  /// The stored text of a scalar; null for others.
  text(node) { return this.textIndex[node] < 0 ? null : this.texts[this.textIndex[node]]; }

  /// The node whose members are shown as those of a node: for data with an archive, the root of that archive.
  inner(node) {
    while (this.kinds[node] === "D") node = this.child[this.start[node]];
    return node;
  }

  /// A node and, if it is data with an archive, the root of that, however often.
  layers(node) {
    const layers = [node];
    while (this.kinds[node] === "D") layers.push(node = this.child[this.start[node]]);
    return layers;
  }

  /// Whether one edge at most leads to each container.
  get isTree() {
    if (this.tree === undefined) {
      const reached = new Uint8Array(this.count);
      reached[0] = 1;
      this.tree = this.child.every((node) => !this.mayHaveChildren(node) || !reached[node]++);
    }
    return this.tree;
  }

  /// The key of an edge as text, or its index as a number.
  key(edge) {
    const parent = this.edgeParent[edge];
    const index = edge - this.start[parent];
    const shape = this.shape[parent];
    return shape < 0 ? index : this.keys[this.shapes[shape][index]];
  }

  /// What people see of a key: one that is not text is shown by its value.
  keyLabel(edge) {
    const parent = this.edgeParent[edge];
    const shape = this.shape[parent];
    if (shape < 0) return `[${edge - this.start[parent]}]`;
    const number = this.shapes[shape][edge - this.start[parent]];
    return this.data.keyNotes[number] ?? this.keys[number];
  }

  /// The edges from the root to a node, on a shortest path; data and its archive are edges of their own.
  trail(node) {
    const trail = [];
    for (let edge = this.firstEdge[node]; node > 0 && edge >= 0; edge = this.firstEdge[node]) {
      trail.push(edge);
      node = this.edgeParent[edge];
    }
    return trail.reverse();
  }

  /// The edges that lead to a node.
  references(node) {
    if (!this.back) this.buildReferences();
    return this.back.subarray(this.backStart[node], this.backStart[node + 1]);
  }

  buildReferences() {
    this.backStart = new Int32Array(this.count + 1);
    for (const child of this.child) this.backStart[child + 1]++;
    for (let node = 0; node < this.count; node++) this.backStart[node + 1] += this.backStart[node];
    const next = this.backStart.slice();
    this.back = new Int32Array(this.child.length);
    for (let edge = 0; edge < this.child.length; edge++) this.back[next[this.child[edge]]++] = edge;
  }

  /// A scalar in one line, or the type and size of a container.
  summary(node) {
    const note = this.notes[node];
    const name = this.className(node);
    const kind = this.kinds[node];
    const text = this.text(node);
    let line;
    if (this.isContainer(node)) line = `${name ?? this.typeName(node)} (${this.size(node)})`;
    else if (kind === "n") line = "null";
    else if (kind === "b") line = text ? "true" : "false";
    else if (kind === "s") line = quoted(text);
    else if (kind === "x") line = `data (${bytesOf(text)} bytes) ${hexPrefix(text)}`;
    else if (kind === "u") line = `UID ${text}`;
    else if (kind === "D") {
      return `data (${text} bytes) ⟨${this.contentKind.get(node)}⟩ ${this.summary(this.inner(node))}`;
    } else line = text;
    if (!this.isContainer(node) && name && name !== "NSDate" && name !== "NSNull") line = `${name} ${line}`;
    return note ? `${line} ${visible(note)}` : line;
  }
}

/// How many bytes Base64 represents.
function bytesOf(base64) {
  return (base64.length / 4) * 3 - (base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0);
}

function hexPrefix(base64) {
  const bytes = atob(base64.slice(0, 24));
  let hex = "";
  for (let i = 0; i < bytes.length && i < 16; i++) hex += bytes.charCodeAt(i).toString(16).padStart(2, "0");
  return hex + (bytesOf(base64) > 16 ? "…" : "");
}

/// Characters that a reader cannot see, or that change the direction of text, are written as escapes.
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function visible(text) {
  return text.replace(UNSEEN, (c) =>
    c === "\n" ? "\\n" : c === "\t" ? "\\t" : c === "\r" ? "\\r"
      : "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

function quoted(text) {
  const cut = text.length > 300 ? text.slice(0, 300) + "…" : text;
  return `"${visible(cut.replace(/["\\]/g, "\\$&"))}"`;
}
