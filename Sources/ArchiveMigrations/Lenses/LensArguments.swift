// The members of an operation in a lens file.

import ArchiveBasics
import ArchiveGraph
import ArchivePatterns
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting

/// The arguments of an operation.
struct LensArguments {
  let tree: JSONTree
  let pointer: String
  /// How many lenses enclose the operation.
  var depth = 0

  /// - Throws: `ArchiveError` if there is a member that the operation does not accept.
  func check(allowed names: [String]) throws(ArchiveError) {
    for (name, _) in tree.members ?? [] where !names.contains(name) && name != "$comment" {
      throw LensReader.fault(
        "it has no member '\(name)', only \(names.joined(separator: ", "))",
        pointer + "/" + JSONPointer.escaped(name))
    }
  }

  /// The name of a member, which is required.
  func name(_ argument: String = "name") throws(ArchiveError) -> String {
    if let name = try optionalName(argument) { return name }
    throw fault("'\(argument)' is missing")
  }

  /// The name of a member; nil if it is missing.
  func optionalName(_ argument: String = "name") throws(ArchiveError) -> String? {
    try optional(argument, "the name of a member", \.string)
  }

  /// A value that is something; nil if it is missing.
  private func optional<Value>(
    _ argument: String, _ wanted: String, _ value: (JSONTree) -> Value?
  ) throws(ArchiveError) -> Value? {
    guard let tree = tree[argument] else { return nil }
    if let value = value(tree) { return value }
    throw fault("'\(argument)' is \(wanted)", at: argument)
  }

  /// The names of two members; they must differ, or the inverse would be ambiguous.
  func names(
    _ first: String, _ second: String
  ) throws(ArchiveError) -> (String, String) {
    let (one, other) = (try name(first), try name(second))
    guard !one.hasSameScalars(as: other) else {
      throw fault("'\(first)' and '\(second)' name one member")
    }
    return (one, other)
  }

  /// An error about an argument, or without one about the whole operation.
  func fault(_ message: String, at argument: String = "") -> ArchiveError {
    LensReader.fault(message, argument.isEmpty ? pointer : pointer + "/" + argument)
  }

  /// A flag; false if it is missing.
  func flag(_ argument: String) throws(ArchiveError) -> Bool {
    try optional(argument, "true or false", \.boolean) ?? false
  }

  /// The versions between which an archive is migrated; nil if a lens is specified instead.
  func archiveStep() throws(ArchiveError) -> ArchiveStep? {
    guard let value = tree["archive"] else { return nil }
    if tree["lens"] != nil {
      throw fault("'archive' and 'lens' cannot be used together")
    }
    let members = value.members?.map(\.0) ?? []
    guard Set(members) == ["from", "to"], let source = Self.version(value["from"]),
      let target = Self.version(value["to"]), source.family == target.family,
      source.name != target.name
    else {
      throw fault(
        "'archive' is {\"from\": \"NAME@VERSION\", \"to\": \"NAME@VERSION\"}, two versions of one family",
        at: "archive")
    }
    return ArchiveStep(family: source.family, source: source.name, target: target.name)
  }

  private static func version(_ tree: JSONTree?) -> (family: String, name: String)? {
    guard let parts = tree?.string?.split(separator: "@"), parts.count == 2 else { return nil }
    return (String(parts[0]), String(parts[1]))
  }

  /// The storage of a scalar for `store`.
  func storage() throws(ArchiveError) -> FieldStorage {
    let storage = try optional("as", "inline or boxed") {
      $0.string.flatMap { FieldStorage(rawValue: $0) }
    }
    if let storage { return storage }
    throw fault("'as' is missing")
  }

  /// A value; nil if it is missing.
  ///
  /// - Parameter scalar: what a value must be that is a scalar; nil if any value is allowed.
  func value(_ argument: String, scalar: String? = nil) throws(ArchiveError) -> JSONTree? {
    guard let value = tree[argument] else { return nil }
    if let scalar, !Self.isScalar(value) || value == .null {
      throw fault("'\(argument)' is \(scalar)", at: argument)
    }
    try Self.checkTags(value, pointer + "/" + argument)
    return value
  }

  /// Rejects tags with invalid values.
  ///
  /// Such a tag would be treated as an object with one member, and an integer of over 64 bits would be rounded. Trees
  /// have a bounded depth.
  private static func checkTags(_ value: JSONTree, _ pointer: String) throws(ArchiveError) {
    if case .wide = value { throw LensReader.fault("the integer has more than 64 bits", pointer) }
    for (index, item) in (value.list ?? []).enumerated() {
      try checkTags(item, "\(pointer)/\(index)")
    }
    guard let members = value.members else { return }
    if members.count == 1, let (tag, content) = members.first, SyntheticValue.tags.contains(tag),
      SyntheticValue.tagged(tag, content) == nil
    {
      throw LensReader.fault(
        "'\(tag)' cannot be \(content.summary)", pointer + "/" + JSONPointer.escaped(tag))
    }
    for (name, member) in members {
      try checkTags(member, pointer + "/" + JSONPointer.escaped(name))
    }
  }
}

// MARK: - The members of the operations that change the shape of a value

extension LensArguments {
  /// The value for `default`.
  func givenValue() throws(ArchiveError) -> JSONTree {
    guard let value = try value("value"), value != .null else {
      throw fault("'value' is missing, or null")
    }
    return value
  }

  /// Whether an absent member means the same as null and as what the operation gives for it.
  func ignoresAbsence() throws(ArchiveError) -> Bool {
    guard let value = tree["absent"] else { return false }
    guard value == .string("same") else {
      throw fault("'absent' is same", at: "absent")
    }
    guard tree["name"] != nil else {
      throw fault("'absent' is about a member: 'name' is missing")
    }
    return true
  }

  /// Whether null becomes absent; otherwise absent becomes null.
  func becomesAbsent() throws(ArchiveError) -> Bool {
    switch tree["null"] {
    case .string("absent"): return true
    case .string("present"): return false
    default:
      throw fault(
        "'null' is absent (null becomes absent) or present (absent becomes null)")
    }
  }

  /// The separator between the parts of a text.
  func separator() throws(ArchiveError) -> String {
    guard let text = tree["separator"]?.string, !text.isEmpty else {
      throw fault("'separator' is a text that is not empty")
    }
    return text
  }

  /// The regular expression of `map` for the names of members; nil if it is missing.
  func memberPattern() throws(ArchiveError) -> String? {
    if tree["by"] != nil { try exclude(["names"], with: "by") }
    guard let pattern = try optional("names", "a regular expression", \.string) else { return nil }
    do throws(PatternFault) {
      _ = try ECMAPattern(pattern)
    } catch {
      throw fault("'names' cannot be matched: \(error)", at: "names")
    }
    return pattern
  }

  /// Rejects members beside another one.
  private func exclude(_ names: [String], with first: String) throws(ArchiveError) {
    for name in names where tree[name] != nil {
      throw fault("'\(first)' and '\(name)' do not go together", at: name)
    }
  }

  /// The operation of `group`, or of `ungroup`.
  func grouping(isInverse: Bool) throws(ArchiveError) -> LensOperation.Kind {
    if tree["alternating"] != nil {
      try exclude(["by", "keys", "values", "into"], with: "alternating")
      let keys = try optional("alternating", "the type of the keys: string or integer") {
        $0.string.flatMap { LensGrouping.AlternatingKeys(rawValue: $0) }
      }
      if let keys {
        let grouping = LensGrouping.alternating(keys: keys)
        return .change(name: try optionalName(), .group(grouping, isInverse: isInverse))
      }
    }
    if tree["by"] != nil {
      try exclude(["keys", "values", "into"], with: "by")
      return .change(
        name: try optionalName(),
        .group(.elements(by: try name("by")), isInverse: isInverse))
    }
    guard tree["name"] == nil else { throw fault("'by' is missing") }
    let (keys, values, into) = (try name("keys"), try name("values"), try name("into"))
    guard Set([keys, values, into].map { Array($0.utf8) }).count == 3 else {
      throw fault("'keys', 'values' and 'into' are three members")
    }
    return .combine(keys: keys, values: values, into: into, isInverse: isInverse)
  }

  // MARK: Conditions

  /// The condition of `when`, and the one that holds afterwards; by default the same.
  func conditions() throws(ArchiveError) -> (LensCondition, after: LensCondition) {
    let condition = try condition()
    guard let after = tree["after"] else { return (condition, condition) }
    let inside = LensArguments(tree: after, pointer: pointer + "/after")
    guard case .members = after else {
      throw LensReader.fault("'after' is an object", inside.pointer)
    }
    try inside.check(allowed: ["member", "equals", "present"])
    return (condition, try inside.condition())
  }

  private func condition() throws(ArchiveError) -> LensCondition {
    let member = try name("member")
    guard (tree["equals"] == nil) != (tree["present"] == nil) else {
      throw fault("'when' takes 'equals' or 'present'")
    }
    if let value = try value("equals", scalar: "a scalar, and not null") {
      return LensCondition(member: member, test: .equals(value))
    }
    return LensCondition(member: member, test: .isPresent(try flag("present")))
  }
}

// MARK: - The members of `convert` in a lens file

extension LensArguments {
  /// The conversion of `convert`: a table, or two types.
  func conversion() throws(ArchiveError) -> ScalarConversion {
    let isTable = tree["mapping"] != nil || tree["values"] != nil
    let hasTypes = tree["sourceType"] != nil || tree["destinationType"] != nil
    guard isTable != hasTypes, tree["mapping"] == nil || tree["values"] == nil else {
      throw fault(
        "'convert' takes 'values', 'mapping', or 'sourceType' with 'destinationType'")
    }
    if let values = tree["values"] { return .table(try table(try pairs(values))) }
    if let mapping = tree["mapping"] { return .table(try table(try mappedPairs(mapping))) }
    for name in ["else", "elseBackward"] where tree[name] != nil {
      throw fault("'\(name)' belongs to a table", at: name)
    }
    return try types()
  }

  private func table(
    _ pairs: [ConversionTable.Pair]
  ) throws(ArchiveError) -> ConversionTable {
    ConversionTable(
      pairs, forwardElse: try value("else", scalar: "a scalar"),
      backwardElse: try value("elseBackward", scalar: "a scalar"))
  }

  /// Pairs in a list: `[[1, "draft"], [2, "published"]]`.
  private func pairs(_ values: JSONTree) throws(ArchiveError) -> [ConversionTable.Pair] {
    let valuesPointer = pointer + "/values"
    guard let list = values.list, !list.isEmpty else {
      throw LensReader.fault("'values' is a list of pairs", valuesPointer)
    }
    var pairs: [ConversionTable.Pair] = []
    for (index, item) in list.enumerated() {
      guard let pair = item.list, pair.count == 2, pair.allSatisfy(Self.isScalar) else {
        throw LensReader.fault("a pair is a list of two scalars", "\(valuesPointer)/\(index)")
      }
      try Self.checkTags(item, "\(valuesPointer)/\(index)")
      pairs.append(.init(source: pair[0], destination: pair[1]))
    }
    return pairs
  }

  /// Cambria's two objects, one per direction: `[{"0": "draft"}, {"draft": "0"}]`, whose keys are strings.
  private func mappedPairs(_ mapping: JSONTree) throws(ArchiveError) -> [ConversionTable.Pair] {
    let mappingPointer = pointer + "/mapping"
    guard let list = mapping.list, list.count == 2, let forward = list[0].members,
      let backward = list[1].members,
      (forward + backward).allSatisfy({ Self.isScalar($0.1) })
    else {
      throw LensReader.fault(
        "'mapping' is a list of two objects: one forward, one backward", mappingPointer)
    }
    for (index, item) in list.enumerated() {
      try Self.checkTags(item, "\(mappingPointer)/\(index)")
    }
    return forward.map { .init(source: .string($0.0), destination: $0.1) }
      + backward.filter { pair in
        !forward.contains { $0.1 == .string(pair.0) && .string($0.0) == pair.1 }
      }.map { .init(source: $0.1, destination: .string($0.0)) }
  }

  private static func isScalar(_ value: JSONTree) -> Bool {
    value.list == nil && (value.members?.count ?? 1) == 1
  }

  private func types() throws(ArchiveError) -> ScalarConversion {
    let source = try name("sourceType")
    let destination = try name("destinationType")
    guard let (first, second) = try typePair(source, destination), first != second else {
      throw fault("no conversion from '\(source)' to '\(destination)'")
    }
    return .types(source: first, destination: second)
  }

  private func typePair(
    _ source: String, _ destination: String
  ) throws(ArchiveError) -> (ScalarConversion.ScalarType, ScalarConversion.ScalarType)? {
    let scalars: [String: ScalarConversion.ScalarType] = [
      "integer": .integer, "real": .real, "number": .real, "boolean": .boolean, "string": .string,
    ]
    if let first = scalars[source], let second = scalars[destination] { return (first, second) }
    switch (source, destination) {
    case ("string", "date"): return (.dateText(try dateFormat()), .date)
    case ("date", "string"): return (.date, .dateText(try dateFormat()))
    case ("integer", "date"), ("real", "date"), ("number", "date"):
      return (.dateNumber(try epoch(), isInteger: source == "integer"), .date)
    case ("date", "integer"), ("date", "real"), ("date", "number"):
      return (.date, .dateNumber(try epoch(), isInteger: destination == "integer"))
    case ("data", "string"), ("data", "base64"): return (.data, .base64)
    case ("string", "data"), ("base64", "data"): return (.base64, .data)
    default: break
    }
    if let type = try frameworkType(source), let form = Self.form(destination, of: type) {
      return (.framework(type), form)
    }
    if let type = try frameworkType(destination), let form = Self.form(source, of: type) {
      return (form, .framework(type))
    }
    return nil
  }

  private func frameworkType(_ name: String) throws(ArchiveError) -> FrameworkType? {
    switch name {
    case "url": return .url
    case "uuid": return .uuid
    case "decimal": return .decimal
    case "location": return .location
    case "color":
      let space = try optional("format", "the color space, such as RGB", \.string)
      return .color(space: space ?? "RGB")
    default: return FrameworkType.Structure(rawValue: name).map { .structure($0) }
    }
  }

  /// The other form of a framework's type; nil if the type has none of the name.
  private static func form(
    _ name: String, of type: FrameworkType
  ) -> ScalarConversion.ScalarType? {
    switch name {
    case "string" where type.hasText: .frameworkText(type)
    case "list" where !type.hasText: .frameworkList(type)
    case "object" where !type.hasText: .frameworkObject(type)
    default: nil
    }
  }

  private func dateFormat() throws(ArchiveError) -> ScalarConversion.DateFormat {
    let name = tree["format"]?.string ?? ""
    switch name {
    case "iso8601": return .iso8601
    case "rfc5322": return .rfc5322
    case "medium": return .medium(offset: try zone(of: "the medium style"))
    default:
      if let epoch = DateEpoch(rawValue: name) { return .number(epoch) }
      guard !name.isEmpty else {
        throw fault(
          "'format' must be the format of the date: iso8601, rfc5322, medium, unix, unix-milliseconds, reference, or a pattern such as \"yyyy-MM-dd HH:mm\"",
          at: "format")
      }
      switch DatePattern.read(name) {
      case .fault(let fault):
        throw self.fault(
          "'format' is neither the name of a format nor a pattern: \(fault)", at: "format")
      case .fields(let fields):
        let isOptional = DatePattern.includesZone(fields) && tree["zone"] == nil
        return .pattern(
          DatePattern(name, fields: fields, offset: isOptional ? 0 : try zone(of: "the pattern")))
      }
    }
  }

  private func epoch() throws(ArchiveError) -> DateEpoch {
    guard let name = tree["format"]?.string, let epoch = DateEpoch(rawValue: name) else {
      throw fault(
        "'format' must be the unit of the number: unix, unix-milliseconds or reference",
        at: "format")
    }
    return epoch
  }

  /// The offset of a zone such as `+09:00` or `UTC`, in seconds.
  private func zone(of format: String) throws(ArchiveError) -> Int {
    guard let text = tree["zone"]?.string else {
      throw fault(
        "\(format) has no zone: 'zone' must name one, such as \"+09:00\" or \"UTC\"")
    }
    if let offset = ScalarConversion.DateFormat.offset(text) { return offset }
    throw fault("'zone' is UTC or an offset such as +09:00", at: "zone")
  }
}
