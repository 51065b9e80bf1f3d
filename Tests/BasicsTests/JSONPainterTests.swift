// JSON in color: which bytes have a style, in pieces of any length.

import Testing

@testable import ArchiveBasics

struct JSONPainterTests {
  /// A text with marks instead of styles: `<K:…>` for keys, `<S:…>` for strings and `<N:…>` for null.
  private static func painted(_ text: String, pieces: Int = .max) -> String {
    var painter = JSONPainter()
    var output = ByteBuffer()
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      Array(bytes.prefix(pieces)).withByteView { painter.paint($0, to: &output) }
      bytes = bytes.dropFirst(pieces)
    }
    return String(decoding: output.bytes, as: UTF8.self)
  }

  private static func marked(_ text: String) -> String {
    [("\u{1B}[34;1m", "<K:"), ("\u{1B}[32m", "<S:"), ("\u{1B}[90m", "<N:"), ("\u{1B}[0m", ">")]
      .reduce(text) { $0.replacing($1.0, with: $1.1) }
  }

  static let cases = [
    (
      #"{"a": "b", "c": [null, "d", 1.5e3, true]}"#,
      #"{<K:"a">: <S:"b">, <K:"c">: [<N:null>, <S:"d">, 1.5e3, true]}"#
    ),
    (
      #"{"a\"b": {"c\\": "d\\\""}, "e": {}, "f": []}"#,
      #"{<K:"a\"b">: {<K:"c\\">: <S:"d\\\"">}, <K:"e">: {}, <K:"f">: []}"#
    ),
    (
      "[{\"a\":null},\"b\"]\n{\"c\":\"\"}\n",
      "[{<K:\"a\">:<N:null>},<S:\"b\">]\n{<K:\"c\">:<S:\"\">}\n"
    ),
    ("null\n\"a{\"\n", "<N:null>\n<S:\"a{\">\n"), ("\"ä€😀\"", "<S:\"ä€😀\">"), ("", ""),
    ("}],\"a", "}],<S:\"a>"), ("Infinity NaN none", "Infinity NaN <N:none>"),
  ]

  @Test(arguments: cases) func keysStringsAndNullHaveStyles(_ text: String, _ expected: String) {
    #expect(Self.marked(Self.painted(text)) == expected)
  }

  /// Between pieces no style is on, and nothing else changes.
  @Test(arguments: cases, [1, 2, 3, 5])
  func piecesArePaintedAlike(_ item: (String, String), _ size: Int) {
    let text = Self.marked(Self.painted(item.0, pieces: size))
    let joined = ["K", "S", "N"].reduce(text) { $0.replacing("><\($1):", with: "") }
    let whole = ["K", "S", "N"].reduce(item.1) { $0.replacing("><\($1):", with: "") }
    #expect(joined == whole)
  }

  @Test func limitsCountNoStyles() throws {
    var output = OutputBuffer(descriptor: nil, limit: 12)
    output.painter = JSONPainter()
    output.bytes.append("{\"a\": null}\n")
    try output.finish()
    // Memory keeps what was appended.
    #expect(String(decoding: output.bytes.bytes, as: UTF8.self) == "{\"a\": null}\n")
  }
}
