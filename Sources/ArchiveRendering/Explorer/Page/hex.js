// The bytes of a value, with the parts of its encoding marked.

const MOST_BYTES = 4096;

/// The bytes of the values, or of a text: decompressed when they are first shown; null if the page has none.
class Source {
  constructor(text) { this.text = text.trim(); }

  bytes() {
    this.promise ??= this.read();
    return this.promise;
  }

  async read() {
    if (!this.text || typeof DecompressionStream === "undefined") return null;
    const packed = Uint8Array.from(atob(this.text), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }
}

const MARKERS = ["singleton", "integer", "real", "date", "data", "ASCII string", "UTF-16 string", "UTF-8 string",
  "UID", "", "array", "ordered set", "set", "dictionary"];

/// The parts of a value in a binary property list: name, class for its color, and number of bytes.
function structureOf(bytes) {
  const kind = bytes[0] >> 4, low = bytes[0] & 15;
  const name = kind === 0 ? { 0: "null", 8: "false", 9: "true" }[low] ?? "singleton" : MARKERS[kind] ?? "unknown";
  const parts = [{ name: `marker 0x${hex(bytes[0])}: ${name}`, style: "marker", length: 1 }];
  let at = 1;
  const isCounted = kind === 4 || kind >= 5 && kind <= 7 || kind >= 10;
  if (isCounted && low === 15 && bytes.length > 1) {
    const length = 1 + (1 << (bytes[1] & 15));
    parts.push({ name: "count", style: "count", length });
    at += length;
  }
  const rest = bytes.length - at;
  if (kind === 13) {
    parts.push({ name: "references to keys", style: "keys", length: rest / 2 });
    parts.push({ name: "references to values", style: "values", length: rest / 2 });
  } else if (rest > 0) {
    const name = kind >= 10 ? "references to elements" : kind >= 5 && kind <= 7 ? "characters" : kind === 4 ? "bytes" : "value";
    parts.push({ name, style: kind >= 10 ? "values" : "content", length: rest });
  }
  return parts.filter(({ length }) => length > 0);
}

function hex(byte) { return byte.toString(16).padStart(2, "0"); }

/// The rows of a hexadecimal view, and a legend.
function hexView(bytes, offset, isBinary) {
  const shown = bytes.subarray(0, MOST_BYTES);
  const parts = isBinary ? structureOf(bytes) : [{ name: "text from here", style: "content", length: bytes.length }];
  const styles = new Array(shown.length);
  let at = 0;
  for (const part of parts) {
    styles.fill(part.style, at, at + part.length);
    at += part.length;
  }
  const view = make("div", "hex");
  const legend = make("ul", "legend");
  for (const part of parts) {
    const entry = make("li", "", `${part.name} (${part.length})`);
    entry.prepend(make("span", `swatch h-${part.style}`));
    legend.append(entry);
  }
  const table = make("pre", "bytes");
  table.tabIndex = 0;
  for (let start = 0; start < shown.length; start += 16) {
    const row = make("span", "hexrow", (offset + start).toString(16).padStart(8, "0") + "  ");
    appendRuns(row, start, Math.min(start + 16, shown.length), styles, (i) => hex(shown[i]) + " ");
    row.append(" ".repeat((16 - Math.min(16, shown.length - start)) * 3 + 1));
    appendRuns(row, start, Math.min(start + 16, shown.length), styles, (i) =>
      shown[i] >= 32 && shown[i] < 127 ? String.fromCharCode(shown[i]) : "·");
    table.append(row, "\n");
  }
  view.append(legend, table);
  if (bytes.length > shown.length) view.append(make("p", "note", `the first ${shown.length} of ${bytes.length} bytes`));
  return view;
}

/// Bytes of one part are one element.
function appendRuns(row, start, end, styles, text) {
  for (let i = start; i < end;) {
    let run = "";
    const style = styles[i];
    for (; i < end && styles[i] === style; i++) run += text(i);
    row.append(make("span", `h-${style}`, run));
  }
}
