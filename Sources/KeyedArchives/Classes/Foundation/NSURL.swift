// NSURL: `NS.relative`, resolved against `NS.base` if present (swift-corelibs-foundation: NSURL.swift).

import Basics
import ObjectGraph
import TypedStreams

/// NSURL.
enum NSURLClass: FrameworkClass {
  static let classNames = ["NSURL"]
  static let shown = "the address, resolved against its base"
  static let isSimple = true

  static func value(of object: ArchivedObject) -> Value? {
    guard let relative = object.text(.relative) else { return nil }
    guard let base = object.field(.base), object.archive.family(of: base) == NSURLClass.self else {
      return .string(relative)
    }
    return object.derivedText {
      baseText(of: object).map { URLReference.resolve(relative.string, against: $0) }
        ?? relative.string
    }
  }

  /// The text of the base URL; its own base, and theirs, are resolved up to a bound.
  private static func baseText(of object: ArchivedObject) -> String? {
    var chain: [String] = []
    var current = object.field(.base)
    while let node = current, chain.count < 16 {
      guard object.archive.family(of: node) == NSURLClass.self else { break }
      let base = ArchivedObject(graph: object.graph, archive: object.archive, node: node)
      guard let text = base.text(.relative) else { break }
      object.graph.spend(text.byteCount)
      chain.append(text.string)
      current = base.field(.base)
    }
    guard var resolved = chain.popLast() else { return nil }
    while let next = chain.popLast() { resolved = URLReference.resolve(next, against: resolved) }
    return resolved
  }

  // MARK: Stored form

  static let storedForm = StoredForm.made(
    StoredFormMaker(shown: ["relative", "base"]) { value throws(FormRefusal) in
      if let text = value.text { return fields(text, base: .null) }
      var members = try value.members()
      let relative = try members.required(members.text("relative"), "relative")
      let base = try members.object("base", "NSURL")
      try members.end()
      return fields(relative, base: base ?? .null)
    })

  private static func fields(_ relative: Text, base: StoredValue) -> [StoredField] {
    [StoredField("NS.base", base), StoredField("NS.relative", .text(relative))]
  }

  // MARK: Codable

  static let codableForm: CodableForm? = CodableForm(
    fields: ["NS.base", "NS.relative"], json: { .text($0) }, spell: { spelled($0) })

  /// URL: `{relative}`, and `{base: {relative}}` if it has one.
  private static func spelled(_ fields: ObjectFields, depth: Int = 0) -> CodableSpelling? {
    guard depth < 16, let relative = fields["NS.relative"] else { return nil }
    var members: [(String, CodableSpelling)] = [("relative", .node(relative))]
    if !fields.isNil("NS.base") {
      guard let base = fields["NS.base"],
        let base = spelled(ObjectFields(of: base, in: fields.graph), depth: depth + 1)
      else { return nil }
      members.insert(("base", base), at: 0)
    }
    return .dictionary(members)
  }

  // MARK: Fields

  static let fieldRules = [
    FieldRule(.relative, FieldRule.texts, "a string")
  ]

  // MARK: Typedstreams

  static let streamLayouts: [String: StreamLayout] = [
    "NSURL": .url
  ]
}
