// What is known of the chosen value: paths, class, value, references and bytes.

const SHOWN_REFERENCES = 100;

class Details {
  constructor(model, source, element, follow) {
    this.model = model;
    this.source = source;
    this.element = element;
    this.follow = follow;
  }

  show(trail) {
    const { model } = this;
    const node = trail.length ? model.child[trail[trail.length - 1]] : 0;
    this.node = node;
    const steps = stepsOf(model, trail);
    const parts = [this.paths(steps), this.marks(node), this.facts(node)];
    if (model.inner(node) !== node) parts.push(this.marks(model.inner(node)), this.facts(model.inner(node)));
    parts.push(this.value(node), this.members(model.inner(node), trail), this.referrers(node), this.bytes(node));
    this.element.replaceChildren(...parts.filter(Boolean));
    this.element.scrollTop = 0;
  }

  section(title, ...content) {
    const section = make("section");
    section.append(make("h2", "", title), ...content);
    return section;
  }

  paths(steps) {
    const list = make("div", "paths");
    for (const [name, text] of [["Path", ownPath(steps)], ["JSONPath", jsonPathOf(steps)], ["JSON Pointer", pointerOf(steps)]]) {
      const button = make("button", "path");
      button.type = "button";
      button.append(make("span", "language", name), make("code", "", visible(text) || "(empty)"));
      button.title = "Copy";
      button.addEventListener("click", () => copy(text, button));
      list.append(button);
    }
    return this.section("Path", list);
  }

  marks(node) {
    const marks = this.model.marks.get(node);
    if (!marks) return null;
    const list = make("ul", "marks");
    for (const { kind, message } of marks) {
      const entry = make("li");
      entry.append(make("span", `badge ${kind}`, kind), make("span", "", visible(message)));
      list.append(entry);
    }
    return this.section("Marks", list);
  }

  facts(node) {
    const { model } = this;
    const facts = make("dl");
    const add = (name, text) => facts.append(make("dt", "", name), make("dd", "", text));
    add("Type", model.typeName(node));
    const own = model.classes[model.cls[node]];
    if (own) {
      add("Class", visible(own.display));
      if (own.name !== own.display) add("Stored name", visible(own.name));
      if (own.chain.length > 1) add("Superclasses", own.chain.slice(1).map(visible).join(" → "));
    }
    if (model.isContainer(node)) add("Size", String(model.size(node)));
    if (model.notes[node]) add("Summary", visible(model.notes[node]));
    if (model.offset[node] >= 0) {
      const offset = model.offset[node];
      add("Offset", `${offset} (0x${offset.toString(16)})`);
      if (model.length[node]) add("Length", `${model.length[node]} bytes`);
    }
    return this.section(model.contentKind.has(node) ? "Data" : "Type", facts);
  }

  value(node) {
    const { model } = this;
    const kind = model.kind(node);
    if (model.isContainer(node) || kind === "D" || kind === "n") return null;
    const text = model.text(node);
    const full = kind === "b" ? (text ? "true" : "false") : visible(text).replace(/\\n/g, "\n").replace(/\\t/g, "\t");
    const most = 20_000;
    const value = make("pre", "whole", full.slice(0, most));
    value.tabIndex = 0;
    const section = this.section(kind === "x" ? "Value in Base64" : "Value", value);
    const picture = kind === "x" && this.picture(node, text);
    if (picture) section.append(picture);
    if (full.length > most) {
      const button = make("button", "", `Show all ${full.length} characters`);
      button.addEventListener("click", () => { value.textContent = full; button.remove(); });
      section.append(button);
    }
    return section;
  }

  /// A picture that browsers draw, without its scripts, which those formats do not have.
  picture(node, base64) {
    const format = /^(PNG|JPEG|GIF)\b/.exec(this.model.notes[node] ?? "");
    if (!format) return null;
    const image = make("img", "picture");
    image.alt = `${format[1]} picture`;
    image.src = `data:image/${format[1].toLowerCase()};base64,${base64}`;
    return image;
  }

  /// The references from a container.
  members(node, trail) {
    const { model } = this;
    if (!model.isContainer(node) || !model.size(node)) return null;
    const base = [...trail];
    for (let at = this.node; at !== node; at = model.child[model.start[at]]) base.push(model.start[at]);
    const edges = Array.from({ length: model.size(node) }, (_, i) => model.start[node] + i);
    return this.references(`References from this object (${edges.length})`, edges, (edge) => ({
      label: visible(model.keyLabel(edge)), text: model.summary(model.child[edge]), trail: [...base, edge],
    }));
  }

  /// The references to a value.
  referrers(node) {
    const { model } = this;
    const edges = Array.from(model.references(node));
    if (!edges.length) return null;
    return this.references(`References to this value (${edges.length})`, edges, (edge) => {
      const trail = model.trail(model.edgeParent[edge]);
      const parent = model.edgeParent[edge];
      return {
        label: visible(ownPath(stepsOf(model, [...trail, edge]))),
        text: `in ${model.className(parent) ?? model.typeName(parent)}`, trail: [...trail, edge],
      };
    });
  }

  references(title, edges, describe) {
    const list = make("ul", "references");
    const add = (from) => {
      for (const edge of edges.slice(from, from + SHOWN_REFERENCES)) {
        const { label, text, trail } = describe(edge);
        const button = make("button", "reference");
        button.type = "button";
        button.append(make("span", "key", label), make("span", "value", text));
        button.addEventListener("click", () => this.follow(trail));
        const entry = make("li");
        entry.append(button);
        list.append(entry);
      }
      if (from + SHOWN_REFERENCES >= edges.length) return;
      const entry = make("li");
      const more = make("button", "more", `Show more (${edges.length - from - SHOWN_REFERENCES})`);
      more.addEventListener("click", () => { entry.remove(); add(from + SHOWN_REFERENCES); });
      entry.append(more);
      list.append(entry);
    };
    add(0);
    return this.section(title, list);
  }

  bytes(node) {
    const { model } = this;
    const offset = model.offset[node], length = model.length[node];
    if (offset < 0) return null;
    const start = model.bytesAt[node];
    const place = make("div", "", "…");
    this.source.bytes().then((bytes) => {
      if (!bytes || start >= bytes.length) place.textContent = "The page does not contain the bytes of the file.";
      else place.replaceChildren(hexView(bytes.subarray(start, start + (length || 64)), offset, length > 0));
    }).catch(() => { place.textContent = "The bytes cannot be decompressed."; });
    return this.section("Bytes", place);
  }
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  button.classList.add("copied");
  announce("Copied");
  setTimeout(() => button.classList.remove("copied"), 900);
}

/// Tells screen readers what happened.
function announce(text) { document.getElementById("status").textContent = text; }
