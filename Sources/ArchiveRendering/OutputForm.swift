// The forms of JSON that commands print, each described by a JSON Schema.

import ArchiveBasics
import ArchivePropertyLists

/// A form of JSON that a command prints: a document, or each of the lines of a stream.
package enum OutputForm: String, CaseIterable, Sendable {
  case dump
  case dumpTyped = "dump-typed"
  case dumpResolved = "dump-resolved"
  case dumpLines = "dump-lines"
  case dumpUnreachable = "dump-unreachable"
  case query
  case queryLines = "query-lines"
  case find
  case findLines = "find-lines"
  case info
  case classes
  case classesLines = "classes-lines"
  case scan
  case scanLines = "scan-lines"
  case validate
  case validateLines = "validate-lines"
  case diff
  case plan
  case report
  case records
  case journalList = "journal-list"
  case journalShow = "journal-show"
  case schemaList = "schema-list"
  case schemaDiff = "schema-diff"
  case schemaCheck = "schema-check"

  private static let dialect = "https://json-schema.org/draft/2020-12/schema"

  /// The JSON Schema (2020-12) of the form, with the definitions that it refers to.
  ///
  /// - Throws: `ArchiveError` if the resource of the package is damaged.
  package func schema() throws(ArchiveError) -> JSONTree {
    let resource = try JSONTree(json: PackageResources.output_forms_json)
    guard let form = resource["forms"]?[rawValue]?.members,
      let definitions = resource["$defs"]?.members
    else { throw ArchiveError(.malformed, "there is no form '\(rawValue)'") }
    let used = Self.used(by: .members(form), among: definitions)
    let shared = definitions.filter { used.contains($0.0) }
    return .members(
      [("$schema", .string(Self.dialect)), ("$id", .string("urn:archtool:output:\(rawValue)"))]
        + form + (shared.isEmpty ? [] : [("$defs", .members(shared))]))
  }

  /// The names of the definitions that a schema refers to, directly or through others.
  private static func used(
    by schema: JSONTree, among definitions: [(String, JSONTree)]
  ) -> Set<String> {
    var used: Set<String> = []
    var waiting = [schema]
    while let next = waiting.popLast() {
      waiting += next.list ?? []
      for (name, value) in next.members ?? [] {
        waiting.append(value)
        guard name == "$ref", let target = value.string?.split(separator: "/").last,
          used.insert(String(target)).inserted
        else { continue }
        waiting += definitions.filter { $0.0 == target }.map(\.1)
      }
    }
    return used
  }
}
