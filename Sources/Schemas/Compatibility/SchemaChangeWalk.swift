// The walk over two versions of a schema side by side, by places in the model: where a schema is kept, inline or behind
// a reference, is no difference.

import PropertyLists

/// Finds the changes.
struct SchemaChangeWalk {
  /// A place in the model, as both versions describe it.
  struct Spot {
    let old: SchemaFacts
    let new: SchemaFacts
    let path: String
  }

  private struct Pair: Hashable {
    let old: Conjunction
    let new: Conjunction
  }

  private static let depthLimit = 128
  private static let stepLimit = 20_000

  let documents: SchemaDocuments
  private let includesNotes: Bool
  private var found: [SchemaChange] = []
  private var open: Set<Pair> = []
  private var steps = 0

  init(_ documents: SchemaDocuments, includesNotes: Bool) {
    self.documents = documents
    self.includesNotes = includesNotes
  }

  /// The changes between the documents' roots.
  mutating func changes() -> [SchemaChange] {
    guard let old = documents.inner.place(at: ""), let new = documents.outer.place(at: "") else {
      return []
    }
    compareArchives(old, new)
    walk(Conjunction([old]), Conjunction([new]), "$")
    return found
  }

  /// Compares what both versions say of a place, and of what lies in it.
  mutating func walk(_ old: Conjunction, _ new: Conjunction, _ path: String) {
    steps += 1
    let spot = Spot(
      old: SchemaFacts(old, documents), new: SchemaFacts(new, documents), path: path)
    let pair = Pair(old: Self.behindReferences(spot.old), new: Self.behindReferences(spot.new))
    guard steps <= Self.stepLimit, open.count < Self.depthLimit, !open.contains(pair) else {
      return
    }
    if !includesNotes, old.places.count == 1, new.places.count == 1,
      documents.areAlike(old.places[0], new.places[0])
    {
      return
    }
    open.insert(pair)
    if includesNotes { compareNotes(spot) }
    compareTypes(spot)
    compareValues(spot)
    compareRanges(spot)
    compareCounts(spot)
    compareTexts(spot)
    compareMembers(spot)
    compareElements(spot)
    compareAlternatives(spot)
    compareOthers(spot)
    open.remove(pair)
  }

  /// The schemas without those that only refer to others, so that a place met again by reference is known.
  private static func behindReferences(_ facts: SchemaFacts) -> Conjunction {
    let objects = facts.objects.filter { $0.tree.members?.contains { $0.0 != "$ref" } ?? true }
    return Conjunction(objects, kinds: facts.kinds)
  }

  mutating func add(
    _ kind: SchemaChange.Kind, _ spot: Spot, _ keywords: [String], _ description: String,
    path: String? = nil
  ) {
    found.append(
      SchemaChange(
        kind: kind, oldPointer: Self.pointer(spot.old, keywords),
        newPointer: Self.pointer(spot.new, keywords), path: path ?? spot.path,
        description: description))
  }

  mutating func add(_ change: SchemaChange) { found.append(change) }

  /// The place of the first keyword that is there; of the schema if none is.
  static func pointer(_ facts: SchemaFacts, _ keywords: [String]) -> String? {
    for object in facts.objects {
      if let keyword = keywords.first(where: { object[$0] != nil }) {
        return object.pointer(to: keyword)
      }
    }
    return facts.conjunction.places.first?.pointer
  }

  // MARK: Archives and notes

  private mutating func compareArchives(_ old: SchemaPlace, _ new: SchemaPlace) {
    guard documents.options.comparesArchives else { return }
    for (part, name) in [("envelope", "envelope"), ("classes", "class"), ("list", "list")] {
      let before = old["x-archive"]?[part]
      let after = new["x-archive"]?[part]
      let isSame = before.map { before in after.map { $0.isSame(as: before) } ?? false }
      if isSame ?? (after == nil) { continue }
      func text(_ tree: JSONTree?) -> String {
        guard let tree else { return "none" }
        return tree.strings.isEmpty ? tree.summary : tree.strings.joined(separator: ", ")
      }
      add(
        SchemaChange(
          kind: .envelopeChanged, oldPointer: before.map { _ in "/x-archive/\(part)" },
          newPointer: after.map { _ in "/x-archive/\(part)" }, path: "$",
          description: "\(name) of the archive: \(text(before)), now \(text(after))"))
    }
  }

  private mutating func compareNotes(_ spot: Spot) {
    var notes = SchemaKeywords.notes
    if !documents.options.assertsFormat { notes.append("format") }
    for keyword in notes {
      let old = spot.old.objects.compactMap { $0[keyword] }
      let new = spot.new.objects.compactMap { $0[keyword] }
      if JSONTree.list(old).isSame(as: .list(new)) { continue }
      let word = old.isEmpty ? "added" : new.isEmpty ? "removed" : "changed"
      add(.annotationChanged, spot, [keyword], "'\(keyword)' \(word)")
    }
  }
}
