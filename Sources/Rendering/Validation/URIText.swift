// Paths and pointers as parts of URIs (RFC 3986; RFC 6901 section 6 for pointers in fragments).

import ObjectGraph

/// Writes URIs.
enum URIText {
  /// A path as relative URI reference, or as file URI if it is absolute.
  static func reference(path: String) -> String {
    (path.hasPrefix("/") ? "file://" : "") + escaped(path, keeping: "/")
  }

  /// A keyword's place as URI: an identifier, and a JSON Pointer as its fragment.
  static func location(_ text: String) -> String {
    let identifier = text.prefix { $0 != "#" }
    let pointer = text.dropFirst(identifier.count + 1)
    // What is escaped in an identifier is so already; a pointer is as it is.
    return escaped(identifier, keeping: "%:/?[]@!$&'()*+,;=") + "#"
      + escaped(pointer, keeping: "!$&'()*+,;=:@/?")
  }

  private static func escaped(_ text: some StringProtocol, keeping kept: String) -> String {
    var output = ""
    for byte in text.utf8 {
      let isPlain =
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-._~".utf8.contains(byte)
        || kept.utf8.contains(byte)
      if isPlain {
        output.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        output += "%" + hexadecimal(byte).uppercased()
      }
    }
    return output
  }
}
