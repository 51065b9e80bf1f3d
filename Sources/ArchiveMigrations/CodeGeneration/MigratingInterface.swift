// The heading of generated source, and the functions that it offers to an application.

import ArchiveBasics
import ArchiveSchemas
import ArchiveWriting

/// What the source offers to an application.
struct MigratingInterface {
  private let name: String
  private let newest: SchemaVersion
  private let versions: [String]
  /// The types of other files that migrate archives in data.
  private let partners: [String]
  private let hasLists: Bool
  /// What archives a model, or a list of models, that the variable `value` holds; nil if an encoder of Codable does.
  private let body: ObjectWriter.Body?

  /// Takes the model's type, its newest version and all, and what archives its objects.
  init(
    name: String, newest: SchemaVersion, versions: [SchemaVersion], _ partners: [String],
    body: ObjectWriter.Body?
  ) {
    self.name = name
    self.newest = newest
    self.versions = versions.map(\.name)
    self.partners = partners
    self.body = body
    hasLists = versions.contains(where: \.allowsList)
  }

  /// The comment at the beginning, and the import.
  var heading: String {
    var writer = SwiftWriter()
    let all =
      versions.count < 2
      ? versions.joined()
      : versions.dropLast().joined(separator: ", ") + " and " + (versions.last ?? "")
    writer.line("// \(name), read from its archives of the versions \(all).")
    writer.line("//")
    writer.line(
      "// 'archtool schema swift --migrating' has written it. What a migration drops is not kept.")
    for note in notes { writer.line("// " + note) }
    writer.line()
    writer.line("import Foundation")
    return writer.text
  }

  /// What an archive of this code does not have.
  private var notes: [String] {
    let files = partners.map { "It needs the file of 'archtool schema swift --migrating \($0)'." }
    return files + (body == nil ? [] : ["An object that has several places is written for each."])
  }

  /// The functions of the model's type, and its error.
  var text: String {
    var writer = SwiftWriter()
    writer.line("// MARK: - Archives")
    writer.line()
    writer.block("extension \(name)") { writer in
      loading(&writer)
      writer.line()
      writer.line("/// The archive of \(newest.name) with this model.")
      if newest.allowsList {
        writer.line("func archive() throws -> Data { try Self.encoded(\(one("self"))) }")
        writer.line()
        writer.line("/// The archive of \(newest.name) with a list of models.")
        writer.block("static func archive(_ models: [\(name)]) throws -> Data") { writer in
          writer.line("try encoded(\(body?.list ?? "models"))")
        }
        writer.line()
        migrating(&writer)
        writer.line()
        let type = body == nil ? "some Encodable" : "Any"
        writer.block("private static func encoded(_ value: \(type)) throws -> Data") { writer in
          archiving("value", &writer)
        }
      } else {
        writer.block("func archive() throws -> Data") { archiving(one("self"), &$0) }
      }
    }
    writer.line()
    failure(&writer)
    return writer.text
  }

  private func one(_ value: String) -> String { body?.one ?? value }

  private func loading(_ writer: inout SwiftWriter) {
    writer.line(
      "/// Reads an archive of any version, from \(versions.first ?? "") to \(newest.name).")
    writer.line("///")
    writer.line("/// - Throws: `\(name)ArchiveError` with the path of what does not fit.")
    writer.block("static func load(from data: Data) throws -> \(name)") { writer in
      guard hasLists else { return decoding("ArchiveVersion.model(in: data)", &writer) }
      writer.line("let models = try loadList(from: data)")
      writer.block("guard let model = models.first, models.count == 1 else") { writer in
        writer.line(
          "throw ArchiveFailure(problem: \"a list of \\(models.count) is not one model\")")
      }
      writer.line("return model")
    }
    writer.line()
    guard hasLists else { return }
    writer.line("/// Reads an archive that holds one model, or a list where its version has lists.")
    writer.block("static func loadList(from data: Data) throws -> [\(name)]") { writer in
      writer.block("try ArchiveVersion.models(in: data).list.map", parameters: "model") { writer in
        decoding("model", &writer)
      }
    }
    writer.line()
  }

  /// Writes what the files of other families call.
  private func migrating(_ writer: inout SwiftWriter) {
    writer.line(
      "/// The archive of \(newest.name) with what an archive holds: one model, or a list.")
    writer.block("static func migrated(_ data: Data) throws -> Data") { writer in
      writer.line("let models = try loadList(from: data)")
      writer.block(
        "guard let model = models.first, try !ArchiveVersion.models(in: data).isList else"
      ) { $0.line("return try archive(models)") }
      writer.line("return try model.archive()")
    }
  }

  /// Writes the statements that decode the members of a model.
  private func decoding(_ members: String, _ writer: inout SwiftWriter) {
    writer.line("let list = try PropertyListSerialization.data(")
    writer.line("  fromPropertyList: \(members), format: .binary, options: 0)")
    writer.line("return try PropertyListDecoder().decode(\(name).self, from: list)")
  }

  private func failure(_ writer: inout SwiftWriter) {
    writer.line("/// What is wrong with an archive, and where.")
    writer.block("struct \(name)ArchiveError: LocalizedError") { writer in
      writer.line("let problem: String")
      writer.line("/// The path of the value in the model, such as `.stops[2].city`.")
      writer.line("var path = \"\"")
      writer.line()
      writer.line("var errorDescription: String? { \"\\(problem) (at $\\(path))\" }")
    }
    writer.line("private typealias ArchiveFailure = \(name)ArchiveError")
    writer.line()
  }

  /// Writes the statements that make an archive of a value.
  private func archiving(_ value: String, _ writer: inout SwiftWriter) {
    if newest.envelope == .json { return json(value, &writer) }
    if body != nil { return archiver(value, &writer) }
    // Encoder and archiver write the binary format by default.
    if newest.envelope == .plist {
      return writer.line("try PropertyListEncoder().encode(\(value))")
    }
    writer.line("let data = try PropertyListEncoder().encode(\(value))")
    if newest.envelope == .dictionariable {
      writer.line(
        "let members = try PropertyListSerialization.propertyList(from: data, format: nil)")
    }
    archiver(newest.envelope == .dictionariable ? "members" : "data", &writer)
  }

  private func archiver(_ value: String, _ writer: inout SwiftWriter) {
    let key = newest.topKey ?? ""
    let hasClasses = body?.hasClasses == true
    guard key == "root" else {
      writer.line("let archiver = NSKeyedArchiver(requiringSecureCoding: true)")
      writer.line("archiver.encode(\(value), forKey: \(SwiftWriter.literal(key)))")
      let data = "archiver.encodedData"
      return writer.line("return \(hasClasses ? "try named(\(data))" : data)")
    }
    let arguments = ["withRootObject: \(value)", "requiringSecureCoding: true"]
    let call = SwiftLines.call(
      "\(hasClasses ? "let archive =" : "return") try NSKeyedArchiver.archivedData", arguments,
      indentation: "    ")
    for line in call.split(separator: "\n") { writer.line(String(line.dropFirst(4))) }
    if hasClasses { writer.line("return try named(archive)") }
  }

  private func json(_ value: String, _ writer: inout SwiftWriter) {
    writer.line("let encoder = JSONEncoder()")
    if newest.jsonCoding.hasSnakeCaseKeys {
      writer.line("encoder.keyEncodingStrategy = .convertToSnakeCase")
    }
    if let strategy { writer.line("encoder.dateEncodingStrategy = \(strategy)") }
    writer.line("return try encoder.encode(\(value))")
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
}
