// Search over keys, values and classes, and the list of what was found.

class Search {
  constructor(model) { this.model = model; }

  /// The lower-case texts, made when the first letter is typed.
  prepare() {
    if (this.lowerTexts) return;
    const { model } = this;
    this.lowerKeys = model.keys.map((key) => key.toLowerCase());
    this.lowerClasses = model.classes.map(({ display, name }) => `${display}\n${name}`.toLowerCase());
    this.lowerTexts = new Array(model.count);
    for (let node = 0; node < model.count; node++) {
      const kind = model.kind(node);
      if (kind === "s" || kind === "i" || kind === "r" || kind === "d") {
        this.lowerTexts[node] = model.text(node).toLowerCase();
      }
    }
  }

  /// The edges whose key, value or class contains a text, those of an object once; -1 stands for the root.
  find(text) {
    this.prepare();
    const { model } = this;
    const needle = text.toLowerCase();
    const keys = this.lowerKeys.map((key) => key.includes(needle));
    const classes = this.lowerClasses.map((name) => name.includes(needle));
    const nodes = new Uint8Array(model.count);
    for (let node = 0; node < model.count; node++) {
      nodes[node] = this.lowerTexts[node]?.includes(needle) || (model.cls[node] >= 0 && classes[model.cls[node]]) ? 1 : 0;
    }
    const found = nodes[0] ? [-1] : [];
    for (let node = 0; node < model.count; node++) {
      const shape = model.shape[node] < 0 ? null : model.shapes[model.shape[node]];
      const start = model.start[node], end = model.start[node + 1];
      for (let edge = start; edge < end; edge++) {
        const child = model.child[edge];
        const isFirst = !model.isObject(child) || model.firstEdge[child] === edge;
        if (nodes[child] && isFirst || (shape && keys[shape[edge - start]])) found.push(edge);
      }
    }
    return found;
  }

  /// The nodes that fit, each by its first edge.
  nodesWhere(fits) {
    const found = [];
    for (let node = 0; node < this.model.count; node++) {
      if (fits(node)) found.push(this.model.firstEdge[node]);
    }
    return found;
  }
}

/// The list of results: edges, or trails of edges.
class Results {
  constructor(model, element, onSelect) {
    this.model = model;
    this.onSelect = onSelect;
    this.list = new VirtualList(element, "option", (hit, index) => this.row(hit, index));
    element.addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (row) this.select(Number(row.dataset.index));
    });
    element.addEventListener("keydown", (event) => {
      const target = this.list.target(event.key);
      if (target === undefined || event.altKey) return;
      event.preventDefault();
      this.select(target);
    });
  }

  trail(hit) {
    if (Array.isArray(hit)) return hit;
    return hit < 0 ? [] : [...this.model.trail(this.model.edgeParent[hit]), hit];
  }

  row(hit, index) {
    const trail = this.trail(hit);
    const node = trail.length ? this.model.child[trail[trail.length - 1]] : 0;
    const row = make("div", `row kind-${this.model.kind(node)}`);
    row.setAttribute("aria-posinset", index + 1);
    row.setAttribute("aria-setsize", this.list.rows.length);
    row.append(
      make("span", "key", visible(ownPath(stepsOf(this.model, trail)))),
      make("span", "value", this.model.summary(node)), ...badges(this.model, node));
    return row;
  }

  show(hits) {
    this.list.setRows(hits);
    this.list.element.scrollTop = 0;
  }

  select(index) {
    if (!this.list.rows.length) return;
    this.list.move(index);
    this.onSelect(this.trail(this.list.rows[this.list.current]));
  }
}
