// Source code for a schema: Codable types that decode its models.

import Basics
import PropertyLists

/// Swift types for one version of a model.
///
/// Models that an encoder of Codable wrote decode with `PropertyListDecoder`, which is strict: it does not decode a
/// number of 0 or 1 as a boolean, a real without a fraction as a real, or a date as a string. Where a schema allows
/// several types for a value, an enumeration with a case for each is declared.
public struct SwiftSource {
  /// The schema.
  public let schema: JSONTree
  /// The name of the model's type.
  public let typeName: String

  /// Takes a schema (JSON Schema 2020-12 with `x-plist-type`) and a name, from which an identifier is made.
  public init(schema: JSONTree, typeName: String) {
    self.schema = schema
    self.typeName = typeName
  }

  /// The source code of a file, as swift-format leaves it.
  ///
  /// - Throws: `ArchiveError` with code `unsupported` or `malformed` and the path of a schema without a Swift type: a
  ///   UID, `allOf` of several schemas, references to other documents, a reference to itself without a record between.
  public func source() throws(ArchiveError) -> String {
    var model = SwiftModel(schema, typeName: typeName)
    let (name, type) = try model.run()
    var writer = SwiftWriter()
    writer.line("// \(heading)")
    if let advice { writer.line("// \(advice)") }
    writer.line()
    if model.declarations.contains(where: \.needsFoundation) || type.needsFoundation {
      writer.line("import Foundation")
      writer.line()
    }
    if type == .named(name), let main = model.declarations.first(where: { $0.name == name }) {
      writer.write(main, holding: model.declarations.filter { $0.name != name })
    } else {
      writer.documentation(schema["description"]?.string ?? schema["title"]?.string)
      writer.line("typealias \(name) = \(type.spelling)")
      for declaration in model.declarations {
        writer.line()
        writer.write(declaration, holding: [])
      }
    }
    return writer.text
  }

  /// How to read the models of an archive that no decoder of Codable opens; nil for other archives.
  private var advice: String? {
    switch schema["x-archive"]?["envelope"]?.string {
    case "nscoding", "dictionariable", "sequential":
      "NSKeyedUnarchiver opens its archives, PropertyListDecoder does not."
    default: nil
    }
  }

  /// The comment that names the schema that the file was made from.
  private var heading: String {
    let name = schema["$id"]?.string.map { SwiftWriter.words($0).joined(separator: " ") } ?? ""
    return "Models of " + (name.isEmpty ? "a JSON Schema." : "the schema \(name.prefix(80)).")
  }
}

extension SwiftDeclaration {
  /// Whether Foundation declares one of the named types.
  fileprivate var needsFoundation: Bool {
    switch form {
    case .record(let properties, _): properties.contains { $0.type.needsFoundation }
    case .union(let alternatives): alternatives.contains { $0.type.needsFoundation }
    case .strings: false
    }
  }
}
