// What Xcode keeps of a window: documents, lines and selections (keys as *.xcuserstate files have them).

import ArchiveBasics
import ArchiveGraph

enum DVTDocumentLocationClass: SimpleClass {
  static let classNames = [
    "DVTDocumentLocation", "DVTTextDocumentLocation", "IDELogDocumentLocation",
  ]
  static let shown = "its file, line and column as stored, and its time, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    guard let url = object.string("documentURL") else { return nil }
    var text = FileText.lastPart(of: url)
    if let line = object.integer("startingLineNumber"), line >= 0, line < .max {
      text += ":\(line)"
      if let column = object.integer("startingColumnNumber"), column >= 0, column < .max {
        text += ":\(column)"
      }
    }
    return text + (object.number("timestamp").map { " at \(SummaryText.date($0))" } ?? "")
  }
}

enum DVTFilePathClass: SimpleClass {
  static let classNames = ["DVTFilePath"]
  static let shown = "its path, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    object.quoted("pathString")
  }
}

enum IDEArchivableStringIndexPairClass: SimpleClass {
  static let classNames = ["IDEArchivableStringIndexPair"]
  static let shown = "its string and index, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    guard let name = object.string("Identifier") else { return nil }
    // NSNotFound.
    let index = object.integer("Index").flatMap { $0 == .max ? nil : ", \($0)" } ?? ""
    return SummaryText.quoted(name) + index
  }
}

enum IDENavigableItemClass: SimpleClass {
  static let classNames = ["IDENavigableItemArchivableRepresentation", "IDEEditorHistoryItem"]
  static let shown = "the document that it leads to, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    if let location = object.object("DocumentLocation", of: DVTDocumentLocationClass.self) {
      return DVTDocumentLocationClass.summary(of: location)
    }
    return (object.string("navigableItemName") ?? object.string("DomainIdentifier")).map {
      SummaryText.clipped($0)
    }
  }
}

/// Addresses of files as summaries show them.
private enum FileText {
  /// The last part of a path or URL, without a query; in quotes where it has spaces.
  static func lastPart(of url: String) -> String {
    // Not by characters: thousands of locations may have one long address.
    var path = url.utf8.prefix { $0 != UInt8(ascii: "?") }
    while path.last == UInt8(ascii: "/") { path.removeLast() }
    let start = path.lastIndex(of: UInt8(ascii: "/")).map(path.index(after:)) ?? path.startIndex
    let part = path[start...].prefix(1000)
    let text = part.isEmpty ? url : String(decoding: part, as: UTF8.self)
    return SummaryText.clipped(PercentEncoding.decoded(text, keepsOthers: true) ?? text)
  }
}
