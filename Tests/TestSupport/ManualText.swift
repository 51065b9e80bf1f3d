// The text of a literal display in mdoc, as a terminal shows it.

import Foundation

/// Reads literal displays of manual pages.
package enum ManualText {
  private static let names = ["aq": "'", "ga": "`", "ha": "^", "ti": "~", "dq": "\""]

  /// The displays of a page: escapes replaced, lines that end with a backslash joined with the next.
  package static func displays(of source: String) -> [String] {
    source.components(separatedBy: ".Bd -literal").dropFirst().map { rest in
      let display = rest.components(separatedBy: "\n.Ed")[0]
      return plain(String(display.drop { $0 != "\n" }.dropFirst()))
    }
  }

  private static func plain(_ text: String) -> String {
    text.replacing(#/\\e\n +/#, with: "")
      .replacing(#/\\(?:\[u([0-9A-F]+)\]|\((..)|(.))/#) { match in
        if let digits = match.1, let code = UInt32(digits, radix: 16) {
          return Unicode.Scalar(code).map(String.init) ?? ""
        }
        if let name = match.2 { return names[String(name)] ?? "" }
        switch match.3 {
        case "e": return "\\"
        case "&": return ""
        default: return String(match.3 ?? "")
        }
      }
  }
}
