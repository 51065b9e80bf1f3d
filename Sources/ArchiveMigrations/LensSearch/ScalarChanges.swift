// Conversions: which one leads from the values of one schema to those of another.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting

extension ShapePair {
  func scalarChanges(_ search: inout LensSearch) -> [JSONTree]? {
    if let archiveStep { return [archiveStep] }
    if let table = table(&search) { return table + storageChange }
    if let addressChange { return [addressChange] }
    if isSameForm { return storageChange }
    return search.choose(conversions, for: self).map { $0 + storageChange }
  }

  private var envelopes: (Envelope, Envelope) { (old.document.envelope, new.document.envelope) }

  private var storageChange: [JSONTree] {
    guard envelopes == (.nscoding, .nscoding), let name,
      let one = old.storage, let other = new.storage, one != other
    else { return [] }
    return [LensTrees.operation("store", on: name, ["as": other])]
  }

  /// The migration of the archive in a data value.
  private var archiveStep: JSONTree? {
    guard let one = old.tree["x-archived"]?["$ref"]?.string,
      let other = new.tree["x-archived"]?["$ref"]?.string, one != other,
      one.prefix(while: { $0 != "@" }) == other.prefix(while: { $0 != "@" })
    else { return nil }
    return LensTrees.operation(
      "in", ("name", name.map { .string($0) }),
      ("archive", .members([("from", .string(one)), ("to", .string(other))])))
  }

  /// Whether an envelope writes the values of both kinds alike, or a migration makes one of the other by itself.
  private var isSameForm: Bool {
    let (source, target) = envelopes
    if old.kind == new.kind { return true }
    switch (old.kind, new.kind) {
    case (.uuid, .text), (.text, .uuid): return !source.isOfObjects || !target.isOfObjects
    case (.url, .text): return source == .json || target == .json
    case (.decimal, .number): return target == .json
    case (.text, .url), (.number, .decimal): return source == .json
    default: return false
    }
  }

  /// The conversion between Codable's object for a URL and the text that JSON has.
  private var addressChange: JSONTree? {
    let (source, target) = envelopes
    guard old.kind == .url, new.kind == .url,
      (old.types == ["object"]) != (new.types == ["object"]),
      [source, target].contains(.json),
      [source, target].contains(where: { $0 == .codable || $0 == .plist })
    else { return nil }
    let types = old.types == ["object"] ? ("url", "string") : ("string", "url")
    return LensTrees.operation(
      "convert", on: name, ["sourceType": types.0, "destinationType": types.1])
  }

  // MARK: Types

  private var conversions: [[JSONTree]] {
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
  private func table(_ search: inout LensSearch) -> [JSONTree]? {
    let isListed = new.tree["enum"] != nil
    // Texts of a few values may become integers.
    guard isListed || old.tree["enum"] != nil && new.kind == .integer,
      let allowed = new.values ?? (isListed ? [] : nil),
      let given = old.values ?? seenValues, given.count <= Self.tableLimit,
      !given.allSatisfy({ value in allowed.contains { $0.isSame(as: value) } })
    else { return nil }
    let pairs: [(JSONTree, JSONTree?)] = given.map { value in
      (value, shown(value) ?? Self.likeness(of: value, in: allowed))
    }
    let isConfirmed = pairs.contains { shown($0.0) != nil }
    // In the same order, if nothing speaks against it.
    if pairs.count == allowed.count, pairs.contains(where: { $0.1 == nil }),
      zip(pairs, allowed).allSatisfy({ $0.1?.isSame(as: $1) ?? true })
    {
      let whole = zip(given, allowed).map { ($0, Optional($1)) }
      let convert = table(whole)
      guard isConfirmed else { return search.question(Self.asking(pairs, allowed), [[convert]]) }
      search.remark(
        "the values \(name.map { "of '\($0)' " } ?? "")are paired in the order of the schemas")
      return [convert]
    }
    guard pairs.contains(where: { $0.1 == nil }) else { return [table(pairs)] }
    let candidates = allowed.map { value in [table(pairs.map { ($0.0, $0.1 ?? value) })] }
    return search.question(Self.asking(pairs, allowed), candidates)
  }

  private static func asking(_ pairs: [(JSONTree, JSONTree?)], _ allowed: [JSONTree]) -> String {
    let open = pairs.filter { $0.1 == nil }.map(\.0.summary).joined(separator: ", ")
    return "what becomes of \(open) (\(allowed.map(\.summary).joined(separator: " or ")))?"
  }

  private func table(_ pairs: [(JSONTree, JSONTree?)]) -> JSONTree {
    let values = pairs.map { JSONTree.list([$0.0, $0.1 ?? .null]) }
    return LensTrees.operation(
      "convert", ("name", name.map { .string($0) }), ("values", .list(values)))
  }

  /// The different values of a location in samples, if they become others; nil if there are none.
  private var seenValues: [JSONTree]? {
    guard old.kind == .integer, seen.contains(where: { $0.both != nil }) else { return nil }
    let values = seen.compactMap { $0.both?.old.lensTree }
    return values.reduce(into: []) { known, value in
      if !known.contains(value) { known.append(value) }
    }
  }

  /// What became of a value in the samples.
  private func shown(_ value: JSONTree) -> JSONTree? {
    seen.lazy.compactMap(\.both).first { $0.old.lensTree.isSame(as: value) }?.new.lensTree
  }

  /// The value of some that is equal, or reads alike.
  private static func likeness(of value: JSONTree, in allowed: [JSONTree]) -> JSONTree? {
    if let same = allowed.first(where: { $0.isSame(as: value) }) { return same }
    guard let text = value.string else { return nil }
    return allowed.first { NameLikeness.isSame($0.string ?? "", text) }
  }
}
