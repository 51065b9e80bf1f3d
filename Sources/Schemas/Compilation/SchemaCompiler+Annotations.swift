// Keywords that assert nothing must still be what the meta-schema says (JSON Schema Core 2020-12, sections 8 and 9).

import Basics

extension SchemaCompiler {
  /// Checks the value of a keyword that asserts nothing and holds no schema.
  func checkAnnotation(_ name: String, _ place: SchemaLocation) throws(ArchiveError) {
    switch name {
    case "$schema", "$comment", "title", "description", "contentEncoding", "contentMediaType":
      _ = try string(place)
    case "$id":
      let identifier = try string(place)
      guard identifier.firstIndex(of: "#").map({ identifier[$0...] == "#" }) ?? true else {
        throw problem("an identifier has no fragment", place)
      }
    case "$anchor", "$dynamicAnchor":
      guard Self.isAnchor(try string(place)) else {
        throw problem(
          "an anchor is of letters, digits, '-', '.' and '_', the first a letter or '_'", place)
      }
    case "readOnly", "writeOnly": _ = try boolean(place)
    case "examples": _ = try list(place)
    case "$vocabulary":
      for (uri, value) in try members(place) { _ = try boolean(place.part(uri, tree: value)) }
    default: return
    }
  }

  private static func isAnchor(_ name: String) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }
    guard let first = name.utf8.first, isLetter(first) else { return false }
    return name.utf8.allSatisfy {
      isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "-.".utf8.contains($0)
    }
  }
}
