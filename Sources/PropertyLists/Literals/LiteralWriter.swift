// Property lists as source code: a constant of Swift or of Objective-C, for tests and for programs.

import Basics
import ObjectGraph

/// Writes stored values as a constant declaration.
public enum LiteralWriter {
  /// The language of a literal.
  public enum Language: Sendable {
    /// Swift, after `import Foundation`.
    case swift
    /// Objective-C.
    case objectiveC
  }

  /// Writes the values reachable from a document's top as a constant.
  ///
  /// - Parameters:
  ///   - document: a document whose table was checked.
  ///   - language: the language.
  ///   - name: the source of the constant's name, such as the file's name.
  ///   - limits: the depth and the number of values that are allowed.
  /// - Throws: `ArchiveError` with code `unrepresentable` at the first UID, key that is not a string, or string
  ///   with a lone surrogate.
  public static func write(
    _ document: Document, in language: Language, name: String, limits: Limits = Limits(),
    to output: inout OutputBuffer
  ) throws(ArchiveError) {
    let identifier = SourceIdentifier(name)
    let top = ContainerKind(marker: document.table.marker(of: document.top))
    switch language {
    case .swift:
      output.bytes.append(contentsOf: "import Foundation\n\nlet ")
      output.bytes.append(identifier.swift)
      output.bytes.append(contentsOf: " = ")
      try TreeWriter.write(document, as: SwiftLiteral(), limits: limits, to: &output)
      output.bytes.append(UInt8(ascii: "\n"))
    case .objectiveC:
      output.bytes.append(contentsOf: "#import <Foundation/Foundation.h>\n\nstatic ")
      output.bytes.append(ObjectiveCLiteral.type(of: top, document))
      output.bytes.append(" *\(identifier.objectiveC)(void) {\n  return ")
      try TreeWriter.write(document, as: ObjectiveCLiteral(), limits: limits, to: &output)
      output.bytes.append(contentsOf: ";\n}\n")
    }
    output.flushIfFull()
  }
}
