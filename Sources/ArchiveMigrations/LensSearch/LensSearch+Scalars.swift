// Conversions: which one leads from the values of one schema to those of another.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting

extension LensSearch {
  /// The operations on a scalar.
  mutating func scalar(
    _ old: SchemaShape, _ new: SchemaShape, _ name: String?, _ seen: [LensWitness]
  ) -> [JSONTree]? {
    let storage = storageChange(old, new, name)
    if let step = archiveStep(old, new, name) { return [step] }
    if let table = table(old, new, name, seen) { return table + storage }
    if let change = addressChange(old, new, name) { return [change] }
    if isSameForm(old, new) { return storage }
    let candidates = conversions(old, new, name, seen)
    if candidates.isEmpty { return nil }
    let text = "how does \(words(old)) become \(words(new))?"
    return choose(candidates, text, name, seen).map { $0 + storage }
  }

  private func storageChange(
    _ old: SchemaShape, _ new: SchemaShape, _ name: String?
  ) -> [JSONTree] {
    guard source.envelope == .nscoding, target.envelope == .nscoding, let name,
      let one = old.storage, let other = new.storage, one != other
    else { return [] }
    return [LensTrees.operation("store", on: name, ["as": other])]
  }

  /// The migration of the archive in a data value.
  private func archiveStep(
    _ old: SchemaShape, _ new: SchemaShape, _ name: String?
  ) -> JSONTree? {
    guard let one = old.tree["x-archived"]?["$ref"]?.string,
      let other = new.tree["x-archived"]?["$ref"]?.string, one != other,
      one.prefix(while: { $0 != "@" }) == other.prefix(while: { $0 != "@" })
    else { return nil }
    return LensTrees.operation(
      "in", ("name", name.map { .string($0) }),
      ("archive", .members([("from", .string(one)), ("to", .string(other))])))
  }

  /// Whether an envelope writes the values of both kinds alike, or a migration makes one of the other by itself.
  private func isSameForm(_ old: SchemaShape, _ new: SchemaShape) -> Bool {
    if old.kind == new.kind { return true }
    func isText(_ envelope: Envelope) -> Bool {
      envelope != .nscoding && envelope != .dictionariable
    }
    switch (old.kind, new.kind) {
    case (.uuid, .text), (.text, .uuid): return isText(source.envelope) || isText(target.envelope)
    case (.url, .text): return source.envelope == .json || target.envelope == .json
    case (.decimal, .number): return target.envelope == .json
    case (.text, .url), (.number, .decimal): return source.envelope == .json
    default: return false
    }
  }

  /// The conversion between Codable's object for a URL and the text that JSON has.
  private func addressChange(
    _ old: SchemaShape, _ new: SchemaShape, _ name: String?
  ) -> JSONTree? {
    guard old.kind == .url, new.kind == .url,
      (old.types == ["object"]) != (new.types == ["object"]),
      [source.envelope, target.envelope].contains(.json),
      [source.envelope, target.envelope].contains(where: { $0 == .codable || $0 == .plist })
    else { return nil }
    let types = old.types == ["object"] ? ("url", "string") : ("string", "url")
    return LensTrees.operation(
      "convert", on: name, ["sourceType": types.0, "destinationType": types.1])
  }

  // MARK: Types

  private func conversions(
    _ old: SchemaShape, _ new: SchemaShape, _ name: String?, _ seen: [LensWitness]
  ) -> [[JSONTree]] {
    func convert(_ source: String, _ destination: String, _ more: [(String, String)] = [])
      -> [JSONTree]
    {
      let given = [("sourceType", source), ("destinationType", destination)] + more
      let arguments = given.map { ($0.0, JSONTree.string($0.1)) }
      let subject = name.map { [("name", JSONTree.string($0))] } ?? []
      return [.members([("convert", .members(subject + arguments))])]
    }
    let plain: [ShapeKind: String] = [
      .integer: "integer", .number: "real", .boolean: "boolean", .text: "string",
    ]
    if let one = plain[old.kind], let other = plain[new.kind] { return [convert(one, other)] }
    switch (old.kind, new.kind) {
    case (.text, .date):
      let pairs = seen.map { (text: $0.old, date: $0.new) }
      return Self.dateFormats(old, pairs).map { convert("string", "date", $0) }
    case (.date, .text):
      let pairs = seen.map { (text: $0.new, date: $0.old) }
      return Self.dateFormats(new, pairs).map { convert("date", "string", $0) }
    case (.integer, .date), (.number, .date):
      return Self.epochs.map { convert(plain[old.kind] ?? "real", "date", [("format", $0)]) }
    case (.date, .integer), (.date, .number):
      return Self.epochs.map { convert("date", plain[new.kind] ?? "real", [("format", $0)]) }
    case (.data, .text): return [convert("data", "base64")]
    case (.text, .data): return [convert("base64", "data")]
    case (.text, .url), (.text, .uuid), (.text, .decimal), (.text, .color):
      return [convert("string", new.kind.rawValue)]
    case (.url, .text), (.uuid, .text), (.decimal, .text), (.color, .text):
      return [convert(old.kind.rawValue, "string")]
    default: return []
    }
  }

  private static let epochs = ["unix", "unix-milliseconds", "reference"]

  // MARK: Dates in texts

  /// Formats whose texts contain the zone, and patterns of which it must be given.
  private static let formats = ["iso8601", "rfc5322", "yyyy-MM-dd'T'HH:mm:ss.SSSX"] + epochs
  private static let patterns = [
    "medium", "yyyy-MM-dd", "yyyy-MM-dd HH:mm", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd'T'HH:mm:ss",
    "yyyy/MM/dd", "yyyyMMdd", "dd.MM.yyyy", "dd/MM/yyyy", "MM/dd/yyyy", "dd.MM.yyyy HH:mm",
    "yyyyMMddHHmmss", "MMM d, yyyy",
  ]

  /// The arguments of the conversions between text and date that come into question.
  ///
  /// - Parameter seen: values of samples, each a text and a date.
  private static func dateFormats(
    _ text: SchemaShape, _ seen: [(text: SyntheticValue?, date: SyntheticValue?)]
  ) -> [[(String, String)]] {
    switch text.tree["format"]?.string {
    case "date-time"?: return [[("format", "iso8601")]]
    case "date"?: return [[("format", "yyyy-MM-dd"), ("zone", "UTC")]]
    default: break
    }
    var found = formats.map { [("format", $0)] }
    for pattern in patterns {
      let offset = seen.lazy.compactMap { zone(of: pattern, $0.text, $0.date) }.first
      found.append([("format", pattern), ("zone", offset ?? "UTC")])
    }
    return found
  }

  /// The zone in which a text is a date by a pattern, to a quarter of an hour; nil if there is none.
  private static func zone(
    of pattern: String, _ text: SyntheticValue?, _ date: SyntheticValue?
  ) -> String? {
    guard let text, case .date(let seconds)? = date,
      let read = try? LensArguments(
        tree: .members([
          ("sourceType", .string("string")), ("destinationType", .string("date")),
          ("format", .string(pattern)), ("zone", .string("UTC")),
        ]), pointer: ""
      ).conversion().convert(text, .forward), case .date(let utc) = read
    else { return nil }
    let offset = utc - seconds
    guard abs(offset) <= 14 * 3600, let whole = Int(exactly: offset), whole % 900 == 0 else {
      return nil
    }
    if whole == 0 { return "UTC" }
    let minutes = abs(whole) / 60
    return
      "\(whole < 0 ? "-" : "+")\(String(minutes / 60, width: 2)):\(String(minutes % 60, width: 2))"
  }

  // MARK: Tables

  /// The values of a table that would be written in full.
  private static let tableLimit = 64

  /// The table for values of which few are allowed; nil if none is needed or possible.
  private mutating func table(
    _ old: SchemaShape, _ new: SchemaShape, _ name: String?, _ seen: [LensWitness]
  ) -> [JSONTree]? {
    guard let allowed = new.tree["enum"].map({ _ in new.values ?? [] }) ?? numbers(new, for: old),
      let given = old.values ?? Self.seenValues(seen, of: old), given.count <= Self.tableLimit,
      !given.allSatisfy({ value in allowed.contains { $0.isSame(as: value) } })
    else { return nil }
    let pairs: [(JSONTree, JSONTree?)] = given.map { value in
      (value, Self.shown(value, seen) ?? Self.likeness(of: value, in: allowed))
    }
    let isConfirmed = pairs.contains { Self.shown($0.0, seen) != nil }
    // In the same order, if nothing speaks against it.
    if pairs.count == allowed.count, pairs.contains(where: { $0.1 == nil }),
      zip(pairs, allowed).allSatisfy({ $0.1?.isSame(as: $1) ?? true })
    {
      let whole = zip(given, allowed).map { ($0, Optional($1)) }
      let convert = Self.table(whole, name)
      guard isConfirmed else { return question(Self.asking(pairs, allowed), [[convert]]) }
      remark("the values \(name.map { "of '\($0)' " } ?? "")are paired in the order of the schemas")
      return [convert]
    }
    guard pairs.contains(where: { $0.1 == nil }) else { return [Self.table(pairs, name)] }
    let text = Self.asking(pairs, allowed)
    let candidates = allowed.map { value in
      [Self.table(pairs.map { ($0.0, $0.1 ?? value) }, name)]
    }
    return question(text, candidates)
  }

  /// The integers that texts of a few values become.
  private func numbers(_ new: SchemaShape, for old: SchemaShape) -> [JSONTree]? {
    old.tree["enum"] != nil && new.kind == .integer ? new.values : nil
  }

  private static func asking(_ pairs: [(JSONTree, JSONTree?)], _ allowed: [JSONTree]) -> String {
    let open = pairs.filter { $0.1 == nil }.map(\.0.summary).joined(separator: ", ")
    return "what becomes of \(open) (\(allowed.map(\.summary).joined(separator: " or ")))?"
  }

  private static func table(_ pairs: [(JSONTree, JSONTree?)], _ name: String?) -> JSONTree {
    let values = pairs.map { JSONTree.list([$0.0, $0.1 ?? .null]) }
    return LensTrees.operation(
      "convert", ("name", name.map { .string($0) }), ("values", .list(values)))
  }

  /// The different values of a location in samples, if they become others; nil if there are none.
  private static func seenValues(_ seen: [LensWitness], of old: SchemaShape) -> [JSONTree]? {
    guard old.kind == .integer, seen.contains(where: { $0.both != nil }) else { return nil }
    let values = seen.compactMap { $0.both?.old.lensTree }
    return values.reduce(into: []) { known, value in
      if !known.contains(value) { known.append(value) }
    }
  }

  /// What became of a value in the samples.
  private static func shown(_ value: JSONTree, _ seen: [LensWitness]) -> JSONTree? {
    seen.lazy.compactMap(\.both).first { $0.old.lensTree.isSame(as: value) }?.new.lensTree
  }

  /// The value of some that is equal, or reads alike.
  private static func likeness(of value: JSONTree, in allowed: [JSONTree]) -> JSONTree? {
    if let same = allowed.first(where: { $0.isSame(as: value) }) { return same }
    guard let text = value.string else { return nil }
    return allowed.first { NameLikeness.isSame($0.string ?? "", text) }
  }
}
