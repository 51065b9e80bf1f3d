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
      writer.line("typealias \(name) = \(type.source)")
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

// MARK: - Swift names for the names in a schema

/// The names of one scope.
struct SwiftNames {
  /// The names that a generated type would shadow.
  static let takenTypes: Set<String> = [
    "Any", "AnyObject", "Array", "Bool", "CaseIterable", "Codable", "CodingKey", "CodingKeys",
    "Data", "Date", "Decodable", "Decoder", "DecodingError", "Dictionary", "Double", "Encodable",
    "Encoder", "Equatable", "Error", "Foundation", "Hashable", "Int", "Never", "Optional",
    "Protocol", "RawRepresentable", "Self", "Sendable", "String", "Swift", "Type", "UInt64", "UUID",
    "Void",
  ]
  /// The names that enumerations declare themselves, or that are confused with a case of an optional.
  static let takenCases: Set<String> = ["allCases", "none", "self", "some"]
  /// The names that properties cannot have, even in backticks.
  static let takenProperties: Set<String> = ["self"]

  private static let longest = 40
  /// The names that Swift reserves.
  private let reserved: Set<String>
  private var taken: Set<String>
  /// How often each name was requested.
  private var numbers: [String: Int] = [:]

  init(taken: Set<String>) {
    reserved = taken
    self.taken = taken
  }

  /// A name that begins in lower case: `localizedName` for `LocalizedName`, `id` for `ID`.
  mutating func lower(_ text: String, fallback: String) -> String {
    let words = Self.words(text)
    guard let first = words.first else { return unique(fallback) }
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return unique(Self.startingWithLetter(Self.lowered(first) + rest, prefix: fallback))
  }

  /// A name that begins with a capital.
  mutating func upper(_ text: String, fallback: String) -> String {
    let words = Self.words(text).map { $0.prefix(1).uppercased() + $0.dropFirst() }
    guard !words.isEmpty else { return unique(fallback) }
    return unique(Self.startingWithLetter(words.joined(), prefix: fallback))
  }

  private mutating func unique(_ name: String) -> String {
    var stem = String(name.prefix(Self.longest))
    // A name that Swift reserves gets another word; a name that the schema repeats gets a number.
    if reserved.contains(stem) { stem += "Value" }
    var name = stem
    while !taken.insert(name).inserted {
      numbers[stem, default: 1] += 1
      name = "\(stem)\(numbers[stem, default: 1])"
    }
    return name
  }

  /// Runs of ASCII letters and digits; swift-format wants names without underscores.
  private static func words(_ text: String) -> [String] {
    text.unicodeScalars.split {
      !$0.isASCII || !($0.properties.isAlphabetic || ("0"..."9").contains($0))
    }.map { String(Substring($0)) }
  }

  /// A word with its leading capitals in lower case, except the one that begins its next word: `urlString`.
  private static func lowered(_ word: String) -> String {
    let capitals = word.prefix { $0.isUppercase }.count
    let next = word.dropFirst(capitals).first
    let count = capitals > 1 && next?.isLowercase == true ? capitals - 1 : capitals
    return word.prefix(count).lowercased() + word.dropFirst(count)
  }

  private static func startingWithLetter(_ name: String, prefix: String) -> String {
    name.first?.isNumber == true ? prefix + name : name
  }
}
