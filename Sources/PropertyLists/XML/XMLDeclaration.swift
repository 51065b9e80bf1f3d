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

  /// How many bytes of white space and comments are before the declaration, where XML allows none but Apple's readers do.
  ///
  /// - Returns: 0 if there is no declaration, or nothing before it but a byte order mark.
  static func displacement(in bytes: UnsafeRawBufferPointer) -> Int {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF] as [UInt8]) ? 3 : 0
    guard start < bytes.count, bytes[start] != UInt8(ascii: "<") || isComment(bytes, start) else {
      return 0
    }
    var position = start
    while position < bytes.count {
      if [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) {
        position += 1
      } else if isComment(bytes, position) {
        position += 4
        while position < bytes.count, !bytes[position...].starts(with: "-->".utf8) { position += 1 }
        position += 3
      } else {
        return bytes[position...].starts(with: "<?xml ".utf8) ? position : 0
      }
    }
    return 0
  }

  private static func isComment(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> Bool {
    bytes[position...].starts(with: "<!--".utf8)
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
