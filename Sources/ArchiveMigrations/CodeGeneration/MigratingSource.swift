// Swift source that an application ships: the newest type, and what reads its archives of every version.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting

/// Swift source for the archives of a family, which needs Foundation alone.
///
/// It declares the type of the newest version with `load(from:)`, which recognizes the version of an archive, and
/// `archive()`. The lenses are Swift; values that a migration drops are not kept.
package struct MigratingSource {
  private let family: SchemaFamily
  private let lenses: FamilyLenses
  private let typeName: String

  /// Takes a family, its lenses, and a name from which the model's type is named.
  package init(of family: SchemaFamily, _ lenses: FamilyLenses, typeName: String) {
    self.family = family
    self.lenses = lenses
    self.typeName = typeName
  }

  /// The source code of a file, as swift-format leaves it.
  ///
  /// - Throws: `ArchiveError` with code `unsupported` that names what Swift code cannot do: a typedstream, an operation
  ///   of a lens, a model that is no object.
  package func source() throws(ArchiveError) -> String {
    guard let newest = family.versions.last else {
      throw ArchiveError(.malformed, "the family \(family.name) has no versions")
    }
    var types = SwiftModel(newest.tree, typeName: typeName, reserved: Self.reserved)
    let (name, _) = try types.run()
    var model = SwiftWriter()
    guard model.write(types, name) else {
      throw refusal("the model of \(newest.name) is no object")
    }
    var forms = FormWriter()
    var migrations = LensWriter()
    var entries: [String] = []
    var constants = ""
    var readable: [String] = []
    for version in family.versions.reversed() {
      guard let path = lenses.path(from: version.name, to: newest.name),
        !path.contains(where: \.isAgainstOneWay)
      else {
        throw refusal("\(version.name) has no path of lenses to \(newest.name)")
      }
      readable.append(version.name)
      let form = try forms.write(version, typeName: typeName)
      var functions: [String] = []
      for step in path { functions += [try migrations.write(step, of: name)].compactMap { $0 } }
      let keys = try forms.jsonKeys(of: version)
      constants += keys?.source ?? ""
      entries.append(try entry(of: version, form, functions, keys?.name))
    }
    let api = try MigratingInterface(name: name, newest: newest, readable: readable)
    var versions = "// MARK: - The versions\n\nextension ArchiveVersion {\n"
    versions += "  /// The versions, newest first.\n  fileprivate static let all = [\n"
    versions += entries.joined() + "  ]\n" + constants + "}\n\n" + forms.text
    let hasObjects = family.versions.contains { $0.envelope == .nscoding }
    versions += migrations.text + (hasObjects ? forms.standIns : "")
    let facts =
      api.text + versions + (hasObjects ? "" : "KEYED-WITHOUT-OBJECTS")
      + (versions.includes("jsonNames: ") ? "" : "PLAIN-JSON")
    let support = MigratingTemplate.lines(
      of: MigratingTemplate.support, in: facts, model: name)
    return Self.joined([api.heading, model.text, api.text, versions, support])
  }

  /// The names that the source itself declares.
  static let reserved = [
    "ArchiveFailure", "ArchiveForm", "ArchiveVersion", "ArchivedObject", "StoredArchive",
    "StoredFields", "NSNumber",
    "NSCoder", "NSObject",
  ]

  private func refusal(_ message: String) -> ArchiveError {
    ArchiveError(.unsupported, "no Swift code for \(family.name): \(message)")
  }

  /// A version's row in the table of versions.
  private func entry(
    of version: SchemaVersion, _ form: String, _ functions: [String], _ keys: String?
  ) throws(ArchiveError) -> String {
    let envelope: String
    switch version.envelope {
    case .codable?: envelope = "data"
    case .dictionariable?: envelope = "dictionaries"
    case .nscoding?: envelope = "objects"
    case .plist?: envelope = "propertyList"
    case .json?: envelope = "json"
    case .sequential?, nil:
      throw refusal("\(version.name) is in typedstreams, which only NSUnarchiver reads")
    }
    var parts = [
      "name: \(SwiftWriter.literal(version.name))", "envelope: .\(envelope)",
    ]
    if version.topKey != UnwrappedModel.rootKey {
      parts.append("key: \(version.topKey.map { SwiftWriter.literal($0) } ?? "nil")")
    }
    if version.allowsList { parts.append("allowsList: true") }
    if let keys { parts.append("jsonNames: \(keys)") }
    parts.append("form: \(form)")
    if !functions.isEmpty {
      parts.append("migrations: [\(functions.joined(separator: ", "))]")
    }
    return SwiftLines.call("ArchiveVersion", parts, indentation: "    ") + ",\n"
  }

  /// Parts of a file, with one empty line between any two.
  private static func joined(_ parts: [String]) -> String {
    var lines: [Substring] = []
    for line in parts.joined(separator: "\n").split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      let isEmpty = lines.last?.isEmpty ?? true
      if isEmpty, line.isEmpty { continue }
      if isEmpty, line.drop(while: { $0 == " " }).hasPrefix("}") { lines.removeLast() }
      lines.append(line)
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n") + "\n"
  }
}

// MARK: - The type's functions, and the heading of the file

/// What the source offers to an application.
private struct MigratingInterface {
  let name: String
  let newest: SchemaVersion
  let readable: [String]

  init(name: String, newest: SchemaVersion, readable: [String]) throws(ArchiveError) {
    self.name = name
    self.newest = newest
    self.readable = readable
    let classes = newest.classNames.filter { !Self.plainClasses.contains($0) }
    guard newest.envelope != .nscoding, newest.envelope != .dictionariable || classes.isEmpty else {
      throw ArchiveError(
        .unsupported,
        "no Swift code for \(newest.label), which is the newest: it would have to write objects of classes"
      )
    }
  }

  /// The classes of what NSKeyedArchiver writes for a property list.
  private static let plainClasses: Set<String> = [
    "NSArray", "NSData", "NSDate", "NSDictionary", "NSNumber", "NSString",
  ]

  private var versions: String {
    let all = readable.reversed()
    return all.count < 2
      ? all.joined() : all.dropLast().joined(separator: ", ") + " and " + (all.last ?? "")
  }

  var heading: String {
    var writer = SwiftWriter()
    writer.line("// \(name), read from its archives of the versions \(versions).")
    writer.line("//")
    writer.line(
      "// 'archtool schema swift --migrating' has written it. What a migration drops is not kept.")
    writer.line()
    writer.line("import Foundation")
    return writer.text
  }

  var text: String {
    var writer = SwiftWriter()
    writer.line("// MARK: - Archives")
    writer.line()
    writer.block("extension \(name)") { writer in
      writer.line(
        "/// Reads an archive of any version, from \(readable.last ?? "") to \(newest.name).")
      writer.line("///")
      writer.line("/// - Throws: `\(name)ArchiveError` with the path of what does not fit.")
      writer.block("static func load(from data: Data) throws -> \(name)") { writer in
        writer.line("let models = try loadList(from: data)")
        writer.block("guard let model = models.first, models.count == 1 else") { writer in
          writer.line("throw \(name)ArchiveError(\"a list of \\(models.count) is not one model\")")
        }
        writer.line("return model")
      }
      writer.line()
      writer.line(
        "/// Reads an archive of any version that holds one model, or a list where its version has lists."
      )
      writer.block("static func loadList(from data: Data) throws -> [\(name)]") { writer in
        writer.block("try ArchiveVersion.models(in: data).map", parameters: "model") { writer in
          writer.line("let list = try ArchiveForm.newest.value(of: model, isFinal: true)")
          writer.line("let data = try PropertyListSerialization.data(")
          writer.line("  fromPropertyList: list, format: .binary, options: 0)")
          writer.line("return try PropertyListDecoder().decode(\(name).self, from: data)")
        }
      }
      writer.line()
      writer.line("/// The archive of \(newest.name) with this model.")
      writer.line("func archive() throws -> Data { try Self.encoded(self) }")
      if newest.allowsList {
        writer.line()
        writer.line("/// The archive of \(newest.name) with a list of models.")
        writer.line(
          "static func archive(_ models: [\(name)]) throws -> Data { try encoded(models) }")
      }
      writer.line()
      self.archive(&writer)
    }
    writer.line()
    writer.line("/// What is wrong with an archive, and where.")
    writer.block("struct \(name)ArchiveError: LocalizedError") { writer in
      writer.line("let problem: String")
      writer.line("/// The path of the value in the model, such as `.stops[2].city`.")
      writer.line("let path: String")
      writer.line()
      writer.block("fileprivate init(_ problem: String, at path: String = \"\")") { writer in
        writer.line("self.problem = problem")
        writer.line("self.path = path")
      }
      writer.line()
      writer.line("var errorDescription: String? { \"\\(problem) (at $\\(path))\" }")
    }
    writer.line()
    writer.line("private typealias ArchiveFailure = \(name)ArchiveError")
    return writer.text
  }

  /// Writes the function that makes an archive of a model or a list of models.
  private func archive(_ writer: inout SwiftWriter) {
    writer.block("private static func encoded(_ value: some Encodable) throws -> Data") { writer in
      switch newest.envelope {
      case .json?:
        writer.line("let encoder = JSONEncoder()")
        if newest.jsonCoding.hasSnakeCaseKeys {
          writer.line("encoder.keyEncodingStrategy = .convertToSnakeCase")
        }
        if let strategy { writer.line("encoder.dateEncodingStrategy = \(strategy)") }
        writer.line("return try encoder.encode(value)")
      case .plist?:
        plistEncoder(&writer)
        writer.line("return try encoder.encode(value)")
      default:
        plistEncoder(&writer)
        writer.line("let data = try encoder.encode(value)")
        writer.line("let archiver = NSKeyedArchiver(requiringSecureCoding: true)")
        writer.line("archiver.outputFormat = .binary")
        let key =
          newest.topKey == UnwrappedModel.rootKey
          ? "NSKeyedArchiveRootObjectKey" : SwiftWriter.literal(newest.topKey ?? "")
        if newest.envelope == .dictionariable {
          writer.line(
            "let list = try PropertyListSerialization.propertyList(from: data, format: nil)")
          writer.line("archiver.encode(list, forKey: \(key))")
        } else {
          writer.line("archiver.encode(data as NSData, forKey: \(key))")
        }
        writer.line("return archiver.encodedData")
      }
    }
  }

  /// How dates are written in JSON; nil for JSONEncoder's own way.
  private var strategy: String? {
    switch newest.jsonCoding.dates {
    case .number(.reference): nil
    case .number(.unix): ".secondsSince1970"
    case .number(.unixMilliseconds): ".millisecondsSince1970"
    case .iso8601: ".iso8601"
    case .format(let pattern):
      ".formatted(dateFormatter(\(SwiftWriter.literal(pattern.text)), zone: 0))"
    }
  }

  private func plistEncoder(_ writer: inout SwiftWriter) {
    writer.line("let encoder = PropertyListEncoder()")
    writer.line("encoder.outputFormat = .binary")
  }
}

// MARK: - Lines of source

/// Calls that stand on one line where it is short enough.
enum SwiftLines {
  private static let width = 100

  /// A call with labeled arguments.
  static func call(_ function: String, _ arguments: [String], indentation: String) -> String {
    let line = "\(indentation)\(function)(\(arguments.joined(separator: ", ")))"
    if line.utf8.count < width { return line }
    var lines = [indentation + function + "("]
    var row = ""
    for argument in arguments {
      let next = row.isEmpty ? argument : row + ", " + argument
      if indentation.count + 2 + next.count > width - 2, !row.isEmpty {
        lines.append(indentation + "  " + row + ",")
        row = argument
      } else {
        row = next
      }
    }
    lines.append(indentation + "  " + row + ")")
    return lines.joined(separator: "\n")
  }
}
