// The tree and the list of results: rows of one height, of which only those in view are in the document.

const ROW_HEIGHT = 22;

/// A list that makes elements for the rows in view.
class VirtualList {
  constructor(element, role, makeRow) {
    this.element = element;
    this.role = role;
    this.makeRow = makeRow;
    this.rows = [];
    this.current = -1;
    /// The elements in the document, by their indexes.
    this.drawn = new Map();
    this.space = document.createElement("div");
    this.space.className = "space";
    this.space.setAttribute("role", "none");
    element.append(this.space);
    element.addEventListener("scroll", () => this.drawSoon(true), { passive: true });
    new ResizeObserver(() => this.drawSoon(true)).observe(element);
  }

  /// Draws in the next frame; rows that only scroll keep their elements.
  drawSoon(isSame = false) {
    if (!isSame) this.drawn.clear();
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => { this.pending = 0; this.draw(true); });
  }

  draw(isSame = false) {
    if (!isSame) this.drawn.clear();
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(Math.floor(scrollTop / ROW_HEIGHT) - 4, 0);
    const end = Math.min(Math.ceil((scrollTop + clientHeight) / ROW_HEIGHT) + 4, this.rows.length);
    if (!this.drawn.size) {
      this.space.style.height = `${this.rows.length * ROW_HEIGHT}px`;
      this.space.replaceChildren();
    }
    for (const [i, row] of this.drawn) {
      if (i >= first && i < end) continue;
      row.remove();
      this.drawn.delete(i);
    }
    for (let i = end - 1; i >= first; i--) {
      if (this.drawn.has(i)) continue;
      const row = this.finished(this.makeRow(this.rows[i], i), i);
      this.drawn.set(i, row);
      // Screen readers read rows in the order of the document.
      const next = this.drawn.get(i + 1);
      if (next) next.before(row);
      else this.space.append(row);
    }
    if (this.current >= first && this.current < end) {
      this.element.setAttribute("aria-activedescendant", `${this.element.id}-${this.current}`);
    } else this.element.removeAttribute("aria-activedescendant");
  }

  finished(row, i) {
    row.id = `${this.element.id}-${i}`;
    row.dataset.index = i;
    row.setAttribute("role", this.role);
    row.setAttribute("aria-selected", i === this.current);
    row.style.top = `${i * ROW_HEIGHT}px`;
    return row;
  }

  setRows(rows, current = -1) {
    this.rows = rows;
    this.current = current;
    this.drawSoon();
  }

  /// Makes a row the current one and scrolls it into view.
  move(index, centered = false) {
    if (!this.rows.length) return;
    this.current = Math.min(Math.max(index, 0), this.rows.length - 1);
    this.space.style.height = `${this.rows.length * ROW_HEIGHT}px`;
    const top = this.current * ROW_HEIGHT;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop || top + ROW_HEIGHT > scrollTop + clientHeight) {
      this.element.scrollTop = centered ? top - clientHeight / 3
        : top < scrollTop ? top : top + ROW_HEIGHT - clientHeight;
    }
    this.draw();
  }

  get page() { return Math.max(Math.floor(this.element.clientHeight / ROW_HEIGHT) - 1, 1); }

  /// The row of a keyboard event, for keys that move in any list.
  target(key) {
    return { ArrowDown: this.current + 1, ArrowUp: this.current - 1, Home: 0, End: this.rows.length - 1,
      PageDown: this.current + this.page, PageUp: this.current - this.page }[key];
  }
}

/// Makes an element with a class and text; text is never markup.
function make(tag, name, text) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
}

/// The badges of a node: marks, and whether several references lead to it.
function badges(model, node) {
  const list = (model.marks.get(node) ?? []).map(({ kind, message }) => {
    const badge = make("span", `badge ${kind}`, kind);
    badge.title = message;
    return badge;
  });
  if (model.isContainer(node) && model.references(node).length > 1) {
    const badge = make("span", "badge shared", "shared");
    badge.title = `${model.references(node).length} references lead to this object`;
    list.push(badge);
  }
  return list;
}

class Tree {
  constructor(model, element, onSelect) {
    this.model = model;
    this.onSelect = onSelect;
    this.list = new VirtualList(element, "treeitem", (item) => this.row(item));
    this.root = { node: 0, edge: -1, depth: 0, parent: null, open: false, position: 0, size: 1 };
    this.list.rows = [this.root];
    this.toggle(0, true);
    this.list.current = 0;
    element.addEventListener("click", (event) => this.click(event));
    element.addEventListener("keydown", (event) => this.key(event));
  }

  get current() { return this.list.rows[this.list.current]; }

  row(item) {
    const { model } = this;
    const row = make("div", `row kind-${model.kind(model.inner(item.node))}`);
    row.setAttribute("aria-level", item.depth + 1);
    row.setAttribute("aria-posinset", item.position + 1);
    row.setAttribute("aria-setsize", item.size);
    const hasChildren = model.size(model.inner(item.node)) > 0;
    if (hasChildren) row.setAttribute("aria-expanded", item.open);
    row.style.paddingInlineStart = `${Math.min(item.depth, 40) * 14 + 6}px`;
    const twisty = make("span", "twisty", hasChildren ? (item.open ? "▾" : "▸") : "");
    twisty.setAttribute("aria-hidden", "true");
    const label = item.edge < 0 ? "$" : visible(model.keyLabel(item.edge));
    row.append(twisty, make("span", "key", label), make("span", "value", model.summary(item.node)));
    if (this.isCycle(item)) row.append(make("span", "badge cycle", "cycle"));
    row.append(...badges(model, item.node));
    if (model.kind(item.node) === "D") row.append(...badges(model, model.inner(item.node)));
    return row;
  }

  /// Whether an item is its own ancestor in the graph.
  isCycle(item) {
    if (!this.model.isContainer(item.node)) return false;
    for (let up = item.parent; up; up = up.parent) if (up.node === item.node) return true;
    return false;
  }

  toggle(index, open = !this.list.rows[index].open) {
    const rows = this.list.rows;
    const item = rows[index];
    if (!item || item.open === open) return;
    const { model } = this;
    const node = model.inner(item.node);
    const size = model.isContainer(node) ? model.size(node) : 0;
    if (!size) return;
    item.open = open;
    if (open) {
      const children = [];
      for (let i = 0; i < size; i++) {
        const edge = model.start[node] + i;
        children.push({ node: model.child[edge], edge, depth: item.depth + 1, parent: item, open: false, position: i, size });
      }
      this.list.rows = rows.slice(0, index + 1).concat(children, rows.slice(index + 1));
    } else {
      let end = index + 1;
      while (end < rows.length && rows[end].depth > item.depth) end++;
      this.list.rows = rows.slice(0, index + 1).concat(rows.slice(end));
    }
    this.list.drawSoon();
  }

  /// Opens the containers on a trail and selects the value at its end.
  reveal(trail) {
    let index = 0;
    for (const edge of trail) {
      const item = this.list.rows[index];
      // Data shows the content of its archive in its own place.
      if (this.model.kind(this.model.edgeParent[edge]) === "D") continue;
      this.toggle(index, true);
      const position = edge - this.model.start[this.model.inner(item.node)];
      // Children come after the item, each with its own open descendants.
      let seen = -1, next = index;
      while (seen < position && next + 1 < this.list.rows.length) {
        next++;
        if (this.list.rows[next].depth === item.depth + 1) seen++;
      }
      index = next;
    }
    this.list.move(index, true);
  }

  /// The trail of an item; the edges from data to its archive are part of it.
  trail(item) {
    const trail = [];
    for (; item.edge >= 0; item = item.parent) {
      trail.push(item.edge);
      const inner = [];
      for (let node = item.parent.node; this.model.kind(node) === "D"; node = this.model.child[this.model.start[node]]) {
        inner.push(this.model.start[node]);
      }
      trail.push(...inner.reverse());
    }
    return trail.reverse();
  }

  select(index) {
    this.list.move(index);
    this.onSelect(this.trail(this.current));
  }

  click(event) {
    const row = event.target.closest(".row");
    if (!row) return;
    const index = Number(row.dataset.index);
    if (event.target.classList.contains("twisty") || event.detail > 1) this.toggle(index);
    this.select(index);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const index = this.list.current;
    const item = this.current;
    const target = this.list.target(event.key);
    if (target !== undefined) this.select(target);
    else if (event.key === "ArrowRight") {
      if (item.open) this.select(index + 1);
      else this.toggle(index, true);
    } else if (event.key === "ArrowLeft") {
      if (item.open) this.toggle(index, false);
      else if (item.parent) this.select(this.list.rows.indexOf(item.parent));
    } else if (event.key === "Enter" || event.key === " ") this.toggle(index);
    else return;
    event.preventDefault();
    this.list.draw();
  }
}
