// What generated source offers to an application, as the words of its template.

import ArchiveBasics
import ArchiveSchemas
import ArchiveWriting

/// What the source offers to an application.
struct MigratingInterface {
  /// The name of the model's type.
  let name: String
  let newest: SchemaVersion
  /// The names of all versions, without what ends a comment.
  let versions: [String]
  /// The types of other files that migrate archives in data.
  let partners: [String]
  /// What archives a model, or a list of models; nil if an encoder of Codable does.
  let body: ObjectWriter.Body?

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
    for partner in partners {
      writer.line("// It needs the file of 'archtool schema swift --migrating \(partner)'.")
    }
    if body != nil { writer.line("// An object that has several places is written for each.") }
    writer.line()
    writer.line("import Foundation")
    return writer.text
  }

  /// What the words of the template stand for.
  var words: [String: String] {
    [
      "TYPE": name, "OLDEST": versions.first ?? "", "NEWEST NAME": versions.last ?? "",
      "ONE": one, "LIST": body?.list ?? "models",
      "ARCHIVED": body == nil ? "some Encodable" : "Any",
      "ARCHIVING": archiving.map { "    " + $0 }.joined(separator: "\n"),
    ]
  }

  private var one: String { body?.one ?? "self" }

  /// The lines that make an archive of a value.
  private var archiving: [String] {
    let value = newest.allowsList ? "value" : one
    let encoding = "try PropertyListEncoder().encode(\(value))"
    switch newest.envelope {
    case .json?:
      let keys = newest.jsonCoding.hasSnakeCaseKeys
      return ["let encoder = JSONEncoder()"]
        + (keys ? ["encoder.keyEncodingStrategy = .convertToSnakeCase"] : [])
        + (strategy.map { ["encoder.dateEncodingStrategy = \($0)"] } ?? [])
        + ["return try encoder.encode(\(value))"]
    case _ where body != nil: return archiver(value)
    // Encoder and archiver write the binary format by default.
    case .plist?: return [encoding]
    case .dictionariable?:
      let list = "try PropertyListSerialization.propertyList(from: data, format: nil)"
      return ["let data = \(encoding)", "let members = \(list)"] + archiver("members")
    default: return ["let data = \(encoding)"] + archiver("data")
    }
  }

  private func archiver(_ value: String) -> [String] {
    let key = newest.topKey ?? ""
    let hasClasses = body?.hasClasses == true
    guard key == "root" else {
      let data = "archiver.encodedData"
      return [
        "let archiver = NSKeyedArchiver(requiringSecureCoding: true)",
        "archiver.encode(\(value), forKey: \(SwiftWriter.literal(key)))",
        "return \(hasClasses ? "try named(\(data))" : data)",
      ]
    }
    let arguments = ["withRootObject: \(value)", "requiringSecureCoding: true"]
    let call = SwiftLines.call(
      "\(hasClasses ? "let archive =" : "return") try NSKeyedArchiver.archivedData", arguments,
      indentation: "    ")
    return [String(call.dropFirst(4))] + (hasClasses ? ["return try named(archive)"] : [])
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
