// Calls and collections that stand on one line where it is short enough.

import ArchiveBasics

/// Lays out source as swift-format does.
enum SwiftLines {
  private static let width = 100

  /// A call with labeled arguments.
  static func call(_ function: String, _ arguments: [String], indentation: String) -> String {
    let line = "\(indentation)\(function)(\(arguments.joined(separator: ", ")))"
    if line.utf8.count < width { return line }
    return "\(indentation)\(function)(\n" + filled(arguments, indentation + "  ") + ")"
  }

  /// An array or dictionary after `prefix`: on one line, or with a line for each element.
  static func list(_ items: [String], indentation: String, prefix: String) -> String {
    let line = "\(indentation)\(prefix)[\(items.joined(separator: ", "))]"
    if line.count <= width { return line }
    return indentation + prefix + rows(items, indentation)
  }

  /// An array or dictionary with a line for each element.
  static func rows(_ rows: [String], _ indentation: String) -> String {
    let separator = rows.count > 1 ? "," : ""
    return "[\n" + rows.map { "\(indentation)  \($0)\(separator)\n" }.joined() + indentation + "]"
  }

  /// An array or dictionary whose lines hold as many elements as fit.
  static func filledRows(_ rows: [String], _ indentation: String) -> String {
    let separator = rows.count > 1 ? "," : ""
    return "[\n" + filled(rows, indentation + "  ") + separator + "\n" + indentation + "]"
  }

  /// Lines that hold as many items as fit.
  private static func filled(_ items: [String], _ indentation: String) -> String {
    var lines: [String] = []
    var row = ""
    for item in items {
      let next = row.isEmpty ? item : row + ", " + item
      if indentation.count + next.count > width - 2, !row.isEmpty {
        lines.append(indentation + row + ",")
        row = item
      } else {
        row = next
      }
    }
    return (lines + [indentation + row]).map(broken).joined(separator: "\n")
  }

  /// A line whose only element is too long for it continues after the element's first parenthesis.
  private static func broken(_ line: String) -> String {
    guard line.count > width, let label = line.firstOccurrence(of: "\": .")?.upperBound,
      let start = line[label...].firstIndex(of: "(")
    else { return line }
    let indentation = String(line.prefix { $0 == " " })
    return line[...start] + "\n\(indentation)  " + line[line.index(after: start)...]
  }
}
