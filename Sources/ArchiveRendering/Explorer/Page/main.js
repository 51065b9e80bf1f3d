// The page: connects tree, results, details, boxes and keys.

class Explorer {
  constructor() {
    const get = (id) => document.getElementById(id);
    this.model = new Model(JSON.parse(get("data").textContent));
    this.history = [];
    this.place = -1;
    this.details = new Details(
      this.model, new Source(get("source").textContent), get("details"), (trail) => this.go(trail));
    this.tree = new Tree(this.model, get("tree"), (trail) => this.choose(trail, true));
    this.results = new Results(this.model, get("results"), (trail) => this.choose(trail, true));
    this.search = new Search(this.model);
    this.showFacts(get("facts"), get("marks"));
    this.showClasses(get("classes"));
    this.listen(get);
    this.theme(stored("theme"));
    this.choose([]);
  }

  showFacts(facts, marks) {
    const { file, size, format, schema, other } = this.model.facts;
    facts.textContent = [
      `${Number(size).toLocaleString("en-US")} bytes`, format, `${this.model.count.toLocaleString("en-US")} values`,
      schema, other && `compared with ${other}`,
    ].filter(Boolean).map(visible).join(" · ");
    document.title = visible(file);
    const counts = new Map();
    for (const list of this.model.marks.values()) {
      for (const { kind } of list) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    for (const [kind, count] of counts) {
      const button = make("button", `badge ${kind}`, `${count} ${kind}${count > 1 && (kind === "error" || kind === "warning") ? "s" : ""}`);
      button.addEventListener("click", () => this.list(
        this.search.nodesWhere((node) => this.model.marks.get(node)?.some((mark) => mark.kind === kind)), kind));
      marks.append(button);
    }
  }

  /// The histogram: classes, and types of values without a class.
  showClasses(element) {
    const counts = new Map();
    const nameOf = (node) => this.model.className(node) ?? this.model.typeName(node);
    for (let node = 0; node < this.model.count; node++) {
      counts.set(nameOf(node), (counts.get(nameOf(node)) ?? 0) + 1);
    }
    const sorted = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    for (const [name, count] of sorted.slice(0, 1000)) {
      const button = make("button", "bar");
      const bar = make("span", "fill");
      bar.style.inlineSize = `${(100 * count) / sorted[0][1]}%`;
      button.append(bar, make("span", "name", visible(name)), make("span", "number", count.toLocaleString("en-US")));
      button.addEventListener("click", () => this.list(this.search.nodesWhere((node) => nameOf(node) === name), name));
      const entry = make("li");
      entry.append(button);
      element.append(entry);
    }
  }

  listen(get) {
    this.tabs = { tree: get("tab-tree"), results: get("tab-results"), classes: get("tab-classes") };
    for (const [name, tab] of Object.entries(this.tabs)) tab.addEventListener("click", () => this.showPane(name));
    get("search").addEventListener("input", (event) => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.find(event.target.value), 60);
    });
    get("search").addEventListener("keydown", (event) => this.intoResults(event, "Enter"));
    get("query").addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.query(event.target.value);
      this.intoResults(event);
    });
    get("path").addEventListener("keydown", (event) => { if (event.key === "Enter") this.goTo(event.target); });
    get("back").addEventListener("click", () => this.travel(-1));
    get("forward").addEventListener("click", () => this.travel(1));
    get("theme").addEventListener("click", () => {
      const now = document.documentElement.dataset.theme
        ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
      this.theme(now === "dark" ? "light" : "dark");
    });
    document.addEventListener("keydown", (event) => this.key(event, get));
  }

  key(event, get) {
    if (event.key === "Escape" && event.target.tagName === "INPUT") {
      this.showPane("tree");
      get("tree").focus();
      return;
    }
    if (event.target.tagName === "INPUT" || event.ctrlKey || event.metaKey || event.altKey) return;
    const box = { "/": "search", q: "query", g: "path" }[event.key];
    if (box) {
      event.preventDefault();
      get(box).focus();
      get(box).select();
    } else if (event.key === "b") this.travel(-1);
    else if (event.key === "f") this.travel(1);
    else if (event.key === "t") {
      this.showPane("tree");
      get("tree").focus();
    }
  }

  /// Goes on from a box to the first result.
  intoResults(event, key) {
    if (event.key !== "ArrowDown" && event.key !== key || !this.results.list.rows.length) return;
    event.preventDefault();
    this.results.list.element.focus();
    this.results.select(0);
  }

  showPane(name) {
    for (const [pane, tab] of Object.entries(this.tabs)) {
      tab.setAttribute("aria-selected", pane === name);
      document.getElementById(`pane-${pane}`).hidden = pane !== name;
    }
    if (name === "tree" && this.trail) this.tree.reveal(this.trail);
    this.results.list.drawSoon();
  }

  // MARK: Results

  find(text) {
    if (!text) {
      this.showPane("tree");
      return this.message("");
    }
    const start = performance.now();
    const found = this.search.find(text);
    this.searchTime = performance.now() - start;
    this.list(found, `“${text}”`);
  }

  query(text) {
    const box = document.getElementById("query");
    box.removeAttribute("aria-invalid");
    try {
      const query = new Query(this.model, text);
      this.list(query.run(), text);
      if (this.results.list.rows.length) this.results.list.element.focus();
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      box.setAttribute("aria-invalid", "true");
      this.message(error.message);
    }
  }

  list(hits, title) {
    this.results.show(hits);
    this.showPane("results");
    this.message(`${hits.length.toLocaleString("en-US")} ${hits.length === 1 ? "result" : "results"} for ${visible(title)}`);
  }

  message(text) {
    const element = document.getElementById("message");
    if (text !== undefined) {
      element.textContent = text;
      announce(text);
    }
    return element.textContent;
  }

  // MARK: Places

  /// Shows a value; steps from row to row are one entry of the history.
  choose(trail, isStep = false) {
    this.trail = trail;
    if (!(isStep && this.isStep)) this.place++;
    this.isStep = isStep;
    this.history.length = this.place;
    this.history.push(trail);
    this.showDetails();
  }

  /// Follows a reference.
  go(trail) {
    this.choose(trail);
    this.showPane("tree");
    this.tree.reveal(trail);
  }

  goTo(box) {
    const trail = findPath(this.model, box.value.trim());
    box.toggleAttribute("aria-invalid", !trail);
    if (!trail) return this.message(`nothing is at ${visible(box.value)}`);
    this.message("");
    this.go(trail);
    document.getElementById("tree").focus();
  }

  travel(step) {
    const next = this.place + step;
    if (next < 0 || next >= this.history.length) return;
    this.place = next;
    this.isStep = false;
    this.trail = this.history[next];
    this.showPane("tree");
    this.tree.reveal(this.trail);
    this.showDetails();
  }

  showDetails() {
    document.getElementById("back").disabled = this.place <= 0;
    document.getElementById("forward").disabled = this.place >= this.history.length - 1;
    this.details.show(this.trail);
  }

  // MARK: Theme

  theme(name) {
    if (name !== "light" && name !== "dark") return;
    document.documentElement.dataset.theme = name;
    try {
      localStorage.setItem("theme", name);
    } catch { /* the page may not store anything */ }
  }
}

function stored(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

globalThis.explorer = new Explorer();
performance.mark("ready");
