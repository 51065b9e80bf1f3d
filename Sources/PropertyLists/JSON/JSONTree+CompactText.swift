// A JSON value on one line, for messages.

import Basics

extension JSONTree {
  /// The value as JSON without spaces; an ellipsis if it cannot be written.
  package var compactText: String {
    var output = OutputBuffer(descriptor: nil)
    do throws(ArchiveError) {
      try write(isCompact: true, to: &output)
    } catch {
      return "…"
    }
    let bytes = output.takeBytes()
    // All line feeds of strings are escaped.
    return withExtendedLifetime(bytes) {
      String(decoding: bytes.bytes, as: UTF8.self).filter { $0 != "\n" }
    }
  }
}
