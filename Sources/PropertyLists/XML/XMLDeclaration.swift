// The first line of a text of XML, which may name its encoding.

/// The XML declaration of a text.
enum XMLDeclaration {
  /// How many bytes are looked at.
  private static let reach = 256

  /// The name of the encoding that is declared, in small letters; nil if none is.
  static func encoding(of bytes: UnsafeRawBufferPointer) -> Substring? {
    let head = String(decoding: bytes.prefix(reach), as: UTF8.self).lowercased()
    guard let end = head.range(of: "?>"), let name = head[..<end].range(of: "encoding") else {
      return nil
    }
    return head[name..<end].drop { $0 != "\"" && $0 != "'" }.dropFirst()
      .prefix { $0 != "\"" && $0 != "'" }
  }

  /// Whether libxml2 reads a text as it is: in UTF-8, by its first bytes and by its declaration.
  static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF] as [UInt8]) ? 3 : 0
    let head = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(start).prefix(reach))
    guard head.count >= 4, head.prefix(4).allSatisfy({ $0 > 0 && $0 < 0x80 }) else { return false }
    guard head.starts(with: "<?xml") else { return true }
    guard let end = head.firstIndex(of: UInt8(ascii: ">")) else { return false }
    let declaration = UnsafeRawBufferPointer(rebasing: head[...end])
    return ["utf-8", "utf8", nil].contains(encoding(of: declaration))
  }
}

extension String {
  /// Where a word begins.
  fileprivate func range(of word: String) -> Index? { self[...].range(of: word) }
}

extension Substring {
  fileprivate func range(of word: String) -> Index? {
    indices.first { self[$0...].hasPrefix(word) }
  }
}
