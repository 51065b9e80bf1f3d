// Whether an XML text begins like a property list, without reading further.

/// The first elements of a text of XML.
struct XMLBeginning {
  /// How many bytes are looked at.
  static let reach = 64 * 1024

  private let bytes: Slice<UnsafeRawBufferPointer>
  private var position: Int

  /// Whether the root is `plist`, or a list or dictionary without it, which CoreFoundation also reads.
  static func isPropertyList(_ text: UnsafeRawBufferPointer) -> Bool {
    var beginning = XMLBeginning(bytes: text.prefix(reach), position: 0)
    switch beginning.nextTag() {
    case "plist"?: return true
    case "dict"?: return ["key", "/dict"].contains(beginning.nextTag())
    case "array"?:
      let elements: Set<String?> = [
        "/array", "dict", "array", "string", "integer", "real", "date", "data", "true", "false",
      ]
      return elements.contains(beginning.nextTag())
    default: return false
    }
  }

  /// The name of the next element, with a slash if it ends; nil if it is out of reach.
  private mutating func nextTag() -> String? {
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = start + 1
      if skip("!--", to: "-->") || skip("?", to: "?>") || skipDeclaration() { continue }
      let name = bytes[position...].prefix { byte in
        !(byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "<"))
      }
      position = name.endIndex
      guard name.endIndex < bytes.endIndex else { return nil }
      let text = String(decoding: name, as: UTF8.self)
      // An empty element is one that ends as well.
      return text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text
    }
    return nil
  }

  private mutating func skip(_ opening: StaticString, to closing: String) -> Bool {
    guard
      bytes[position...].starts(
        with: UnsafeBufferPointer(start: opening.utf8Start, count: opening.utf8CodeUnitCount))
    else { return false }
    position += opening.utf8CodeUnitCount
    while position < bytes.endIndex, !bytes[position...].starts(with: closing.utf8) {
      position += 1
    }
    return true
  }

  /// The document type, whose subset may hold declarations of its own.
  private mutating func skipDeclaration() -> Bool {
    guard position < bytes.endIndex, bytes[position] == UInt8(ascii: "!") else { return false }
    var depth = 1
    while position < bytes.endIndex, depth > 0 {
      if bytes[position] == UInt8(ascii: "<") { depth += 1 }
      if bytes[position] == UInt8(ascii: ">") { depth -= 1 }
      position += 1
    }
    return true
  }
}
