// Property lists as source code: a constant of Swift or of Objective-C, for tests and for programs.

import ArchiveBasics
import ArchiveGraph

/// Writes stored values as a constant declaration.
package enum LiteralWriter {
  /// Writes the values reachable from a document's top as a constant.
  ///
  /// - Parameters:
  ///   - document: a document whose table was checked.
  ///   - language: the language.
  ///   - name: the source of the constant's name, such as the file's name.
  ///   - limits: the depth and the number of values that are allowed.
  /// - Throws: `ArchiveError` with code `unrepresentable` at the first UID, key that is not a string, or string
  ///   with a lone surrogate.
  package static func write(
    _ document: Document, in language: LiteralSyntax, name: String, limits: Limits = Limits(),
    to output: inout OutputBuffer
  ) throws(ArchiveError) {
    let identifier = SourceIdentifier(name)
    let top = ContainerKind(marker: document.table.marker(of: document.top))
    switch language {
    case .swift:
      output.bytes.append(contentsOf: "import Foundation\n\nlet ")
      output.bytes.append(identifier.swift)
      output.bytes.append(contentsOf: " = ")
      try TreeWriter.write(document, as: language, limits: limits, to: &output)
    case .objectiveC:
      output.bytes.append(contentsOf: "#import <Foundation/Foundation.h>\n\nstatic ")
      output.bytes.append(LiteralSyntax.objectiveCType(of: top, document))
      output.bytes.append(" *\(identifier.objectiveC)(void) {\n  return ")
      try TreeWriter.write(
        document, as: language, end: ";\n}\n", limits: limits, to: &output)
    }
  }
}

// MARK: - The name of a constant in source code, made from a file's name

/// An identifier that Swift and Objective-C accept.
package struct SourceIdentifier {
  private static let swiftKeywords: Set<String> = [
    "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]

  private static let cKeywords: Set<String> = [
    "BOOL", "Class", "NO", "NULL", "SEL", "YES", "auto", "break", "case", "char", "const",
    "continue", "default", "do", "double", "else", "enum",
    "extern", "float", "for", "goto", "id", "if", "inline", "int", "long", "main", "nil",
    "register",
    "restrict", "return", "self", "short", "signed", "sizeof", "static", "struct", "super",
    "switch",
    "typedef", "union", "unsigned", "void", "volatile", "while",
  ]

  /// The names that literals use: a constant of the same name would occur in its own value.
  private static let swiftTypes: Set<String> = [
    "Data", "Date", "Double", "Float", "Foundation", "Int", "NSNull", "NSOrderedSet", "NSSet",
    "String", "UInt64",
  ]

  private let name: String

  /// Keeps letters, digits and underscores of a file's name without its folder and extension.
  init(_ fileName: String) {
    let last = fileName.split(separator: "/").last ?? ""
    let stem = last.lastIndex(of: ".").map { $0 == last.startIndex ? last : last[..<$0] } ?? last
    let characters = stem.unicodeScalars.map { scalar -> Character in
      let isWord =
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      return isWord ? Character(scalar) : "_"
    }
    let text = String(characters)
    if text.allSatisfy({ $0 == "_" }) {
      name = "propertyList"
    } else {
      name = text.first?.isNumber == true ? "_" + text : text
    }
  }

  var swift: String {
    if Self.swiftTypes.contains(name) { return name + "_" }
    return Self.quotedInSwift(name)
  }

  /// An identifier in backticks if it is one of Swift's keywords.
  package static func quotedInSwift(_ identifier: String) -> String {
    swiftKeywords.contains(identifier) ? "`\(identifier)`" : identifier
  }

  var objectiveC: String {
    let isReserved = Self.cKeywords.contains(name) || name.hasPrefix("NS")
    return isReserved ? name + "_" : name
  }
}
