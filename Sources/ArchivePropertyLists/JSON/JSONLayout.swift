// JSON written in the layout of an older text: what did not change stays byte for byte, and what is new looks like the rest.

import ArchiveBasics

/// Gives a new JSON text the layout of an old one.
package struct JSONLayout {
  /// White space and escapes of a text.
  private struct Style {
    /// What a level is indented by; nil if all is on one line.
    var unit: [UInt8]?
    var newline: [UInt8] = [0x0A]
    /// Between elements, on one line.
    var separator = Array(",".utf8)
    /// Between a key and its value.
    var colon = Array(":".utf8)
    /// Whether an empty container has an empty line, as Foundation writes it.
    var hasOpenEmptyContainers = false
    var escapesSlashes = false
    /// Whether characters beyond ASCII are escaped, and with which digits.
    var escapes: (unicode: Bool, upperCase: Bool) = (false, false)
  }

  private enum Part {
    case old(Range<Int>)
    case bytes([UInt8])
    /// A new value, and the old one in its place, which is indented by some white space.
    case value(Int, like: Int?, indentation: [UInt8])
  }

  private let new: JSONExtents
  private let old: JSONExtents
  private let style: Style

  /// Whether bytes are an object or a list in JSON, in UTF-8.
  package static func isJSON(_ bytes: ByteView) -> Bool {
    let first = bytes.first { !isSpace($0) && $0 < 0x80 }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return false }
    return JSONExtents(bytes, comparesNumbers: false) != nil
  }

  /// The new text in the layout of the old one.
  ///
  /// - Parameter comparesNumbers: whether a number keeps its digits if its value is the same: `1.50` for 1.5.
  /// - Returns: nil if one of the texts is not JSON in UTF-8.
  package static func text(
    of new: ByteView, like old: ByteView, comparesNumbers: Bool = true
  ) -> [UInt8]? {
    guard let values = JSONExtents(new, comparesNumbers: comparesNumbers),
      let others = JSONExtents(old, comparesNumbers: comparesNumbers)
    else { return nil }
    let layout = JSONLayout(new: values, old: others, style: style(of: others))
    let root = others.values[0].range
    return Array(old[..<root.lowerBound]) + layout.written() + Array(old[root.upperBound...])
  }

  /// Writes the root: parts that remain are on a stack, the next one last.
  private func written() -> [UInt8] {
    var text: [UInt8] = []
    var parts = [Part.value(0, like: 0, indentation: [])]
    while let part = parts.popLast() {
      switch part {
      case .old(let range): text += old.bytes[range]
      case .bytes(let bytes): text += bytes
      case .value(let index, let other, let indentation):
        parts += self.parts(of: index, like: other, indentation).reversed()
      }
    }
    return text
  }

  private func parts(of index: Int, like other: Int?, _ indentation: [UInt8]) -> [Part] {
    let value = new.values[index]
    guard let other else { return fresh(value, indentation) }
    let partner = old.values[other]
    if value.digest == partner.digest { return [.old(partner.range)] }
    guard value.isContainer, value.kind == partner.kind, !partner.children.isEmpty,
      !value.children.isEmpty
    else { return fresh(value, indentation) }
    let partners = partners(of: value, in: partner)
    let isInPlace =
      value.children.count == partner.children.count
      && zip(partners, partner.children).allSatisfy { $0 == $1 }
    return isInPlace
      ? spliced(value, partner, indentation) : arranged(value, partner, partners, indentation)
  }

  // MARK: Old values for new ones

  /// For each child of a new container the one of the old container whose place it takes.
  private func partners(of value: JSONExtents.Value, in partner: JSONExtents.Value) -> [Int?] {
    value.isObject ? members(value, partner) : elements(value, partner)
  }

  private func members(_ value: JSONExtents.Value, _ partner: JSONExtents.Value) -> [Int?] {
    var free: [[UInt8]: [Int]] = [:]
    for child in partner.children.reversed() {
      free[old.values[child].name, default: []].append(child)
    }
    let named = value.children.map { free[new.values[$0].name]?.popLast() }
    // A member that has another name has the value of one that is gone.
    var others = Dictionary(
      free.values.joined().map { (old.values[$0].digest, $0) }, uniquingKeysWith: { $1 })
    return zip(value.children, named).map { child, found in
      found ?? others.removeValue(forKey: new.values[child].digest)
    }
  }

  private func elements(_ value: JSONExtents.Value, _ partner: JSONExtents.Value) -> [Int?] {
    let (fresh, known) = (value.children, partner.children)
    if fresh.count == known.count { return known }
    func isSame(_ left: Int, _ right: Int) -> Bool {
      new.values[left].digest == old.values[right].digest
    }
    let first = zip(fresh, known).prefix { isSame($0, $1) }.count
    let most = min(fresh.count, known.count) - first
    let last = zip(fresh.reversed(), known.reversed()).prefix { isSame($0, $1) }.prefix(most).count
    return fresh.indices.map { index in
      if index < first { return known[index] }
      let fromEnd = fresh.count - index
      return fromEnd <= last ? known[known.count - fromEnd] : nil
    }
  }

  // MARK: Containers

  /// A container whose children have kept their places: all between them is the same.
  private func spliced(
    _ value: JSONExtents.Value, _ partner: JSONExtents.Value, _ indentation: [UInt8]
  ) -> [Part] {
    var parts: [Part] = []
    var position = partner.range.lowerBound
    let inner = innerIndentation(partner, indentation)
    for (child, other) in zip(value.children, partner.children) {
      let known = old.values[other]
      parts += key(child, other, from: position)
      parts.append(.value(child, like: other, indentation: inner))
      position = known.range.upperBound
    }
    return parts + [.old(position..<partner.range.upperBound)]
  }

  /// What is before a value that has kept its place, with its key, which may have another name.
  private func key(_ child: Int, _ other: Int, from position: Int) -> [Part] {
    let (value, known) = (new.values[child], old.values[other])
    guard let key = known.key, value.name != known.name else {
      return [.old(position..<known.range.lowerBound)]
    }
    return [
      .old(position..<key.lowerBound), .bytes(keyText(value)),
      .old(key.upperBound..<known.range.lowerBound),
    ]
  }

  /// A container with other children than before, with the white space that it had between them.
  private func arranged(
    _ value: JSONExtents.Value, _ partner: JSONExtents.Value, _ partners: [Int?],
    _ indentation: [UInt8]
  ) -> [Part] {
    let first = old.values[partner.children[0]]
    let opening = partner.range.lowerBound..<first.start
    let end = partner.children.last.map { old.values[$0].range.upperBound } ?? first.start
    var separator = Array(",".utf8) + Array(old.bytes[(opening.lowerBound + 1)..<first.start])
    if partner.children.count > 1 {
      let second = old.values[partner.children[1]]
      separator = Array(old.bytes[first.range.upperBound..<second.start])
    } else if !separator.contains(0x0A) {
      separator = style.separator
    }
    let inner = innerIndentation(partner, indentation)
    var parts = [Part.old(opening)]
    for (position, (child, other)) in zip(value.children, partners).enumerated() {
      if position > 0 { parts.append(.bytes(separator)) }
      if value.isObject { parts += member(child, other) }
      parts.append(.value(child, like: other, indentation: inner))
    }
    return parts + [.old(end..<partner.range.upperBound)]
  }

  /// A key with what is between it and its value.
  private func member(_ child: Int, _ other: Int?) -> [Part] {
    let value = new.values[child]
    guard let other, let key = old.values[other].key else {
      return [.bytes(keyText(value) + style.colon)]
    }
    let known = old.values[other]
    if known.name == value.name { return [.old(key.lowerBound..<known.range.lowerBound)] }
    return [.bytes(keyText(value)), .old(key.upperBound..<known.range.lowerBound)]
  }

  /// The white space before the children of an old container, if each is on a line.
  private func innerIndentation(_ value: JSONExtents.Value, _ indentation: [UInt8]) -> [UInt8] {
    guard let child = value.children.first else { return indentation }
    let space = old.bytes[(value.range.lowerBound + 1)..<old.values[child].start]
    guard let newline = space.lastIndex(of: 0x0A) else { return indentation }
    return Array(space[(newline + 1)...])
  }

  // MARK: New values

  /// A value that was not there before.
  private func fresh(_ value: JSONExtents.Value, _ indentation: [UInt8]) -> [Part] {
    guard value.isContainer else { return [.bytes(scalar(value.range))] }
    let closing = value.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    if value.children.isEmpty {
      let space = style.hasOpenEmptyContainers ? style.newline + style.newline + indentation : []
      return [.bytes([value.kind] + space + [closing])]
    }
    let inner = indentation + (style.unit ?? [])
    let isOpen = style.unit != nil
    let separator = isOpen ? Array(",".utf8) + style.newline + inner : style.separator
    var parts = [Part.bytes([value.kind] + (isOpen ? style.newline + inner : []))]
    for (position, child) in value.children.enumerated() {
      if position > 0 { parts.append(.bytes(separator)) }
      if value.isObject { parts.append(.bytes(keyText(new.values[child]) + style.colon)) }
      parts.append(.value(child, like: nil, indentation: inner))
    }
    return parts + [.bytes((isOpen ? style.newline + indentation : []) + [closing])]
  }

  private func keyText(_ value: JSONExtents.Value) -> [UInt8] { value.key.map(scalar) ?? [] }

  /// A scalar, with the escapes that the old text has.
  private func scalar(_ range: Range<Int>) -> [UInt8] {
    let bytes = new.bytes[range]
    guard bytes.first == UInt8(ascii: "\""), style.escapesSlashes || style.escapes.unicode else {
      return Array(bytes)
    }
    var text: [UInt8] = []
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if scalar == "/", style.escapesSlashes {
        text += "\\/".utf8
      } else if scalar.value >= 0x80, style.escapes.unicode {
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
          let isUpper = style.escapes.upperCase
          text += "\\u\(String(unit, radix: 16, width: 4, uppercase: isUpper))".utf8
        }
      } else {
        text += String(scalar).utf8
      }
    }
    return text
  }
}

// MARK: - The style of a text

extension JSONLayout {
  private static func style(of text: JSONExtents) -> Style {
    var style = Style()
    readSpace(of: text, into: &style)
    readEscapes(of: text, into: &style)
    return style
  }

  /// The white space of the first containers that show it.
  private static func readSpace(of text: JSONExtents, into style: inout Style) {
    let values = text.values
    if let first = values[0].children.first {
      let space = text.bytes[(values[0].range.lowerBound + 1)..<values[first].start]
      if let newline = space.lastIndex(of: 0x0A) {
        style.unit = Array(space[(newline + 1)...])
        if space[..<newline].last == 0x0D { style.newline = [0x0D, 0x0A] }
      }
    }
    if let member = values.first(where: { $0.key != nil }), let key = member.key {
      style.colon = Array(text.bytes[key.upperBound..<member.range.lowerBound])
    } else if style.unit != nil {
      style.colon = Array(": ".utf8)
    }
    let pair = values.first { value in
      guard value.children.count > 1 else { return false }
      let gap = values[value.children[0]].range.upperBound..<values[value.children[1]].start
      return !text.bytes[gap].contains(0x0A)
    }
    if let pair {
      let gap = values[pair.children[0]].range.upperBound..<values[pair.children[1]].start
      style.separator = Array(text.bytes[gap])
    }
    style.hasOpenEmptyContainers = values.contains { value in
      value.isContainer && value.children.isEmpty && text.bytes[value.range].contains(0x0A)
    }
  }

  private static func readEscapes(of text: JSONExtents, into style: inout Style) {
    let strings = text.values.flatMap { value -> [Range<Int>] in
      [value.key, value.kind == UInt8(ascii: "\"") ? value.range : nil].compactMap { $0 }
    }
    var (plainSlashes, plainUnicode, letters) = (false, false, [UInt8]())
    for range in strings {
      var position = range.lowerBound
      while position < range.upperBound {
        let byte = text.bytes[position]
        position += 1
        if byte == UInt8(ascii: "/") { plainSlashes = true }
        if byte >= 0x80 { plainUnicode = true }
        guard byte == UInt8(ascii: "\\"), position < range.upperBound else { continue }
        let escaped = text.bytes[position]
        position += 1
        if escaped == UInt8(ascii: "/") { style.escapesSlashes = true }
        guard escaped == UInt8(ascii: "u") else { continue }
        let digits = text.bytes[position..<min(position + 4, range.upperBound)]
        // Control characters are always escaped.
        if digits.starts(with: "00".utf8), (digits.dropFirst(2).first ?? 0) < UInt8(ascii: "8") {
          continue
        }
        style.escapes.unicode = true
        letters += digits.filter { $0 >= UInt8(ascii: "A") }
      }
    }
    style.escapesSlashes = style.escapesSlashes && !plainSlashes
    style.escapes.unicode = style.escapes.unicode && !plainUnicode
    style.escapes.upperCase = letters.first.map { $0 < UInt8(ascii: "a") } ?? false
  }
}
