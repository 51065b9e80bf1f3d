// The rules of a schema for the archive around its model: `x-archive`.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists

/// The envelope that a model must have, and the other rules for the archive.
struct ArchiveRule {
  /// How the model is wrapped; nil if the schema does not specify it.
  let envelope: Envelope?
  /// Patterns of the classes that the root object may have; empty for any.
  let classPatterns: [String]
  /// The top-level key of the model in a keyed archive; nil if the keys are the members of the model.
  let topKey: String?
  /// Whether the root may be a list of models.
  let allowsList: Bool
  /// The Foundation that reads the archives.
  var foundation = FoundationKind.apple

  /// Makes the rule for a model under the usual top-level key.
  init(_ envelope: Envelope, classPatterns: [String], allowsList: Bool) {
    self.envelope = envelope
    self.classPatterns = classPatterns
    self.allowsList = allowsList
    topKey = UnwrappedModel.rootKey
  }

  /// Reads the value of `x-archive`.
  ///
  /// - Parameter isNeeded: whether a schema without it is invalid.
  /// - Throws: `ArchiveError` with code `malformed` and the path of the fault.
  init(_ archive: JSONTree?, isNeeded: Bool) throws(ArchiveError) {
    envelope = try Self.envelope(archive, isNeeded: isNeeded)
    classPatterns = archive?["classes"]?.strings ?? []
    allowsList = archive?["list"]?.boolean ?? false
    if let kind = archive?["foundation"]?.string.flatMap({ FoundationKind(rawValue: $0) }) {
      foundation = kind
    }
    let hasKeys = archive?["keys"]?.boolean ?? false
    topKey = hasKeys ? nil : archive?["key"]?.string ?? UnwrappedModel.rootKey
  }

  /// What was expected and what was found if a model is wrapped differently; nil if it matches.
  ///
  /// - Parameters:
  ///   - found: the text for a value that is not an archive.
  ///   - isEmptyList: whether the model is an empty list of objects, which is valid in every envelope of archives.
  func mismatch(
    _ model: UnwrappedModel?, found: @autoclosure () -> String, isEmptyList: Bool = false
  ) -> (expected: String, found: String)? {
    guard let envelope else { return nil }
    guard let model, model.envelope == envelope || isEmptyList else {
      return (
        "the envelope \(envelope.rawValue)",
        model.map { "the envelope \($0.envelope.rawValue)" } ?? found()
      )
    }
    if !hasTopKey(model) { return (Self.keyText(topKey), Self.keyText(model.topKey)) }
    if let name = model.className, !accepts(name) {
      return (
        "an object of class \(classPatterns.joined(separator: " or "))", "class \(name.display)"
      )
    }
    return nil
  }

  /// Whether a model is the value of the top-level key.
  func hasTopKey(_ model: UnwrappedModel) -> Bool {
    ![.codable, .nscoding, .dictionariable].contains(model.envelope) || topKey == model.topKey
  }

  /// Whether the root object may have a class.
  func accepts(_ name: ClassName) -> Bool {
    classPatterns.isEmpty || classPatterns.contains { name.matches(pattern: $0) }
  }

  private static func keyText(_ key: String?) -> String {
    key.map { "the top-level key \($0)" } ?? "several top-level keys"
  }

  private static func envelope(
    _ archive: JSONTree?, isNeeded: Bool
  ) throws(ArchiveError) -> Envelope? {
    if archive == nil, !isNeeded { return nil }
    guard let text = archive?["envelope"]?.string, let envelope = Envelope(rawValue: text) else {
      let known = Envelope.allCases.map(\.rawValue).joined(separator: ", ")
      throw ArchiveError(
        .malformed, "the schema is wrong: 'x-archive' must name an envelope, one of \(known)",
        path: GraphPath([.key("x-archive")]))
    }
    for (name, value) in archive?.members ?? [] {
      let isRight =
        switch name {
        case "envelope": true
        case "classes": isListOfNames(value)
        case "list": value.boolean != nil
        case "key": value.string?.isEmpty == false
        case "keys": envelope == .json || value.boolean != nil
        case "dates", "data": envelope == .json
        case "foundation": value.string.flatMap { FoundationKind(rawValue: $0) } != nil
        default: false
        }
      guard isRight else {
        throw ArchiveError(
          .malformed,
          "the schema is wrong: 'x-archive' holds 'envelope', 'classes' (different names), 'list' (true or false), 'key' (a name), 'keys' (true or false) and 'foundation' (apple or swift-corelibs), and for json 'dates', 'data' and 'keys'",
          path: GraphPath([.key("x-archive"), .key(name)]))
      }
    }
    return envelope
  }

  private static func isListOfNames(_ value: JSONTree) -> Bool {
    let names = (value.list ?? []).compactMap(\.string).filter { !$0.isEmpty }
    return !names.isEmpty && names.count == value.list?.count
      && Set(names.map { Array($0.utf8) }).count == names.count
  }
}

// MARK: - The settings of JSON in `x-archive`

extension JSONCoding {
  /// The settings in `x-archive`; by default those of a new JSONEncoder.
  ///
  /// - Throws: `ArchiveError` that names the invalid member.
  init(archive: JSONTree?) throws(ArchiveError) {
    self.init()
    if let dates = archive?["dates"] {
      guard let known = Self.dates(dates) else {
        throw Self.fault(
          "dates",
          "is reference, iso8601, unix, unixMilliseconds or {\"format\": PATTERN}, a pattern of dates such as \"yyyy-MM-dd HH:mm\""
        )
      }
      self.dates = known
    }
    if let data = archive?["data"], data != .string("base64") {
      throw Self.fault("data", "is base64")
    }
    if let keys = archive?["keys"] {
      guard keys == .string("snake_case") else { throw Self.fault("keys", "is snake_case") }
      hasSnakeCaseKeys = true
    }
  }

  private static func dates(_ tree: JSONTree) -> Dates? {
    switch tree.string {
    case "reference"?: return .reference
    case "iso8601"?: return .iso8601
    case "unix"?: return .unix
    case "unixMilliseconds"?: return .unixMilliseconds
    default:
      guard let members = tree.members, members.count == 1 else { return nil }
      return tree["format"]?.string.flatMap { DatePattern($0) }.map { .format($0) }
    }
  }

  private static func fault(_ name: String, _ message: String) -> ArchiveError {
    ArchiveError(
      .malformed, "the schema is wrong: '\(name)' of 'x-archive' \(message)",
      path: GraphPath([.key("x-archive"), .key(name)]))
  }
}
