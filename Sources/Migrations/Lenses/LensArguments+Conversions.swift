// The members of `convert` in a lens file.

import Basics
import PropertyLists

extension LensArguments {
  /// The conversion of `convert`: a table, or two types.
  func conversion() throws(ArchiveError) -> ScalarConversion {
    let isTable = tree["mapping"] != nil || tree["values"] != nil
    let hasTypes = tree["sourceType"] != nil || tree["destinationType"] != nil
    guard isTable != hasTypes, tree["mapping"] == nil || tree["values"] == nil else {
      throw LensReader.fault(
        "'convert' takes 'values', 'mapping', or 'sourceType' with 'destinationType'", pointer)
    }
    if let values = tree["values"] { return .table(try table(try pairs(values))) }
    if let mapping = tree["mapping"] { return .table(try table(try mappedPairs(mapping))) }
    for name in ["else", "elseBackward"] where tree[name] != nil {
      throw LensReader.fault("'\(name)' belongs to a table", pointer + "/" + name)
    }
    return try types()
  }

  private func table(
    _ pairs: [ConversionTable.Pair]
  ) throws(ArchiveError) -> ConversionTable {
    ConversionTable(
      pairs, forwardElse: try scalar("else"), backwardElse: try scalar("elseBackward"))
  }

  private func scalar(_ argument: String) throws(ArchiveError) -> JSONTree? {
    guard let value = tree[argument] else { return nil }
    guard Self.isScalar(value), value != .null else {
      throw LensReader.fault("'\(argument)' is a scalar", pointer + "/" + argument)
    }
    try Self.checkTags(value, pointer + "/" + argument)
    return value
  }

  /// Pairs in a list: `[[1, "draft"], [2, "published"]]`.
  private func pairs(_ values: JSONTree) throws(ArchiveError) -> [ConversionTable.Pair] {
    let place = pointer + "/values"
    guard let list = values.list, !list.isEmpty else {
      throw LensReader.fault("'values' is a list of pairs", place)
    }
    var pairs: [ConversionTable.Pair] = []
    for (index, item) in list.enumerated() {
      guard let pair = item.list, pair.count == 2, pair.allSatisfy(Self.isScalar) else {
        throw LensReader.fault("a pair is a list of two scalars", "\(place)/\(index)")
      }
      try Self.checkTags(item, "\(place)/\(index)")
      pairs.append(.init(source: pair[0], destination: pair[1]))
    }
    return pairs
  }

  /// Cambria's two objects, one a direction: `[{"0": "draft"}, {"draft": "0"}]`, whose keys are strings.
  private func mappedPairs(_ mapping: JSONTree) throws(ArchiveError) -> [ConversionTable.Pair] {
    let place = pointer + "/mapping"
    guard let list = mapping.list, list.count == 2, let forward = list[0].members,
      let backward = list[1].members,
      (forward + backward).allSatisfy({ Self.isScalar($0.1) })
    else {
      throw LensReader.fault(
        "'mapping' is a list of two objects: what strings become, and the way back", place)
    }
    for (index, item) in list.enumerated() { try Self.checkTags(item, "\(place)/\(index)") }
    return forward.map { .init(source: .string($0.0), destination: $0.1) }
      + backward.filter { pair in
        !forward.contains { $0.1 == .string(pair.0) && .string($0.0) == pair.1 }
      }.map { .init(source: $0.1, destination: .string($0.0)) }
  }

  static func isScalar(_ value: JSONTree) -> Bool {
    value.list == nil && (value.members?.count ?? 1) == 1
  }

  private func types() throws(ArchiveError) -> ScalarConversion {
    let source = try name("sourceType")
    let destination = try name("destinationType")
    guard let (first, second) = try typePair(source, destination), first != second else {
      throw LensReader.fault("there is no conversion from '\(source)' to '\(destination)'", pointer)
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
    default: return nil
    }
  }

  private func dateFormat() throws(ArchiveError) -> ScalarConversion.DateFormat {
    let name = tree["format"]?.string ?? ""
    switch name {
    case "iso8601": return .iso8601
    case "rfc5322": return .rfc5322
    case "medium": return .medium(offset: try zone(of: "the medium style"))
    default:
      if let epoch = ScalarConversion.DateEpoch(rawValue: name) { return .number(epoch) }
      guard !name.isEmpty else {
        throw LensReader.fault(
          "'format' must say how the date is spelled: iso8601, rfc5322, medium, unix, unix-milliseconds, reference, or a pattern such as \"yyyy-MM-dd HH:mm\"",
          pointer + "/format")
      }
      switch DatePattern.read(name) {
      case .fault(let fault):
        throw LensReader.fault(
          "'format' is no name of a format, and no pattern: \(fault)", pointer + "/format")
      case .fields(let fields):
        let isOptional = DatePattern.tellsZone(fields) && tree["zone"] == nil
        return .pattern(
          DatePattern(name, fields: fields, offset: isOptional ? 0 : try zone(of: "the pattern")))
      }
    }
  }

  private func epoch() throws(ArchiveError) -> ScalarConversion.DateEpoch {
    guard let name = tree["format"]?.string, let epoch = ScalarConversion.DateEpoch(rawValue: name)
    else {
      throw LensReader.fault(
        "'format' must say what the number counts: unix, unix-milliseconds or reference",
        pointer + "/format")
    }
    return epoch
  }

  /// The offset of a zone such as `+09:00` or `UTC`, in seconds.
  private func zone(of format: String) throws(ArchiveError) -> Int {
    guard let text = tree["zone"]?.string else {
      throw LensReader.fault(
        "\(format) has no zone of its own: 'zone' must say it, such as \"+09:00\" or \"UTC\"",
        pointer)
    }
    if let offset = DateSpelling.offset(text) { return offset }
    throw LensReader.fault("'zone' is UTC or an offset such as +09:00", pointer + "/zone")
  }
}
