// JSON in color, for people at a terminal.

/// Colors JSON as trees are colored: keys bold and blue, strings green, null gray; the rest has the color of text.
///
/// It takes the text in pieces of any length, and removing the styles gives it back. It colors any text: where that is no
/// JSON, the colors mean nothing.
package struct JSONPainter: Sendable {
  private enum Style {
    case plain, key, string, null

    /// What turns it on (SGR of ECMA-48); nil for that of plain text.
    var code: StaticString? {
      switch self {
      case .plain: nil
      case .key: "\u{1B}[34;1m"
      case .string: "\u{1B}[32m"
      case .null: "\u{1B}[90m"
      }
    }
  }

  /// What the next byte is in.
  private enum State {
    case between, word, string, escape
  }

  private var state = State.between
  /// The style of what the next byte is in.
  private var style = Style.plain
  /// The containers that are open: whether each is an object.
  private var objects: [Bool] = []
  /// Whether a string would be a key.
  private var expectsKey = false
  /// The style that is on.
  private var shown = Style.plain

  /// Makes a painter for a text from its beginning.
  package init() {}

  /// Appends the next piece of the text in color; no color is on at its end, unless that may be within a character.
  package mutating func paint(_ piece: ByteView, to output: inout ByteBuffer) {
    var start = 0
    for position in 0..<piece.count {
      let style = style(of: piece[position])
      if style == shown { continue }
      output.append(piece.part(start..<position))
      turn(to: style, &output)
      start = position
    }
    output.append(piece.part(from: start))
    if let last = piece.last, last < 0x80 { turn(to: .plain, &output) }
  }

  private mutating func turn(to style: Style, _ output: inout ByteBuffer) {
    if shown != .plain { output.append(contentsOf: "\u{1B}[0m") }
    if let code = style.code { output.append(contentsOf: code) }
    shown = style
  }

  private mutating func style(of byte: UInt8) -> Style {
    switch (state, byte) {
    case (.escape, _): state = .string
    case (.string, UInt8(ascii: "\\")): state = .escape
    case (.string, UInt8(ascii: "\"")): state = .between
    case (.string, _): break
    case (.word, UInt8(ascii: "a")...UInt8(ascii: "z")): break
    default: begin(byte)
    }
    return style
  }

  /// Begins what a byte outside strings and words is the first of.
  private mutating func begin(_ byte: UInt8) {
    (state, style) = (.between, .plain)
    switch byte {
    case UInt8(ascii: "\""):
      (state, style) = (.string, expectsKey ? .key : .string)
      expectsKey = false
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      expectsKey = byte == UInt8(ascii: "{")
      objects.append(expectsKey)
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      _ = objects.popLast()
      expectsKey = false
    case UInt8(ascii: ","): expectsKey = objects.last ?? false
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
      (state, style) = (.word, byte == UInt8(ascii: "n") ? .null : .plain)
    default: break
    }
  }
}
