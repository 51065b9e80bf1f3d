// What a conjunction says of its values, keyword by keyword, all its schemas taken together.
//
// Whatever is not understood is left out: the facts then hold for more values than the schemas, which a proof may
// build on.

import Basics
import PropertyLists

/// The facts of a conjunction.
struct SchemaFacts {
  /// A bound of numbers.
  struct Bound: Equatable {
    let number: ExactNumber
    let isExclusive: Bool
  }

  /// Branches of which a value fits one at least; each branch is schemas that hold together.
  struct Alternatives {
    let choice: Conjunction.Choice
    let branches: [[SchemaPlace]]
  }

  let conjunction: Conjunction
  let documents: SchemaDocuments
  /// Every schema that holds: those of the conjunction, and behind `$ref` and `allOf`.
  private(set) var objects: [SchemaPlace] = []
  private(set) var kinds: ValueKinds
  /// The only values, where the schemas list them.
  private(set) var listed: [JSONTree]?
  private(set) var minimum: Bound?
  private(set) var maximum: Bound?
  private(set) var divisors: [ExactNumber] = []
  private(set) var patterns: Set<ExactText> = []
  private(set) var alternatives: [Alternatives] = []
  private(set) var required: Set<ExactText> = []

  /// Schemas behind `$ref` and `allOf` beyond this number are left out.
  private static let objectLimit = 1024

  init(_ conjunction: Conjunction, _ documents: SchemaDocuments) {
    self.conjunction = conjunction
    self.documents = documents
    kinds = conjunction.kinds
    gather(conjunction.places)
    for object in objects { readScalars(object) }
    gatherRequired()
    for object in objects { readAlternatives(object) }
    reduceKinds()
  }

  // MARK: Gathering

  private mutating func gather(_ places: [SchemaPlace]) {
    var met = Set(objects)
    var waiting = Array(places.reversed())
    while let place = waiting.popLast(), met.count < Self.objectLimit {
      guard met.insert(place).inserted else { continue }
      if place.tree == .boolean(false) { kinds = [] }
      guard place.tree.members != nil else { continue }
      objects.append(place)
      if let reference = place["$ref"], let target = documents.target(of: reference, from: place) {
        waiting.append(target)
      }
      waiting += place.list("allOf")
    }
  }

  private mutating func readScalars(_ place: SchemaPlace) {
    for keyword in ["type", "x-plist-type"] {
      if let tree = place[keyword], let allowed = ValueKinds(tree, keyword: keyword) {
        kinds.formIntersection(allowed)
      }
    }
    if let constant = place["const"] { list([constant]) }
    if let values = place["enum"]?.list { list(values) }
    tighten("minimum", place, isLower: true, isExclusive: false)
    tighten("exclusiveMinimum", place, isLower: true, isExclusive: true)
    tighten("maximum", place, isLower: false, isExclusive: false)
    tighten("exclusiveMaximum", place, isLower: false, isExclusive: true)
    if let tree = place["multipleOf"], let divisor = ExactNumber(tree), divisor.isPositive {
      divisors.append(divisor)
    }
    if let pattern = place["pattern"]?.string { patterns.insert(ExactText(pattern)) }
  }

  private mutating func list(_ values: [JSONTree]) {
    guard let known = listed else {
      listed = values
      return
    }
    let allowed = ListedValues(values)
    listed = known.filter { allowed.contains($0) }
  }

  private mutating func tighten(
    _ keyword: String, _ place: SchemaPlace, isLower: Bool, isExclusive: Bool
  ) {
    guard let tree = place[keyword], let number = ExactNumber(tree) else { return }
    let bound = Bound(number: number, isExclusive: isExclusive)
    if isLower {
      if minimum.map({ Self.isAbove(bound, $0) }) ?? true { minimum = bound }
    } else {
      if maximum.map({ Self.isBelow(bound, $0) }) ?? true { maximum = bound }
    }
  }

  /// Whether a lower bound is at least as tight as another.
  static func isAbove(_ bound: Bound, _ other: Bound) -> Bool {
    bound.number > other.number
      || bound.number == other.number && (bound.isExclusive || !other.isExclusive)
  }

  /// Whether an upper bound is at least as tight as another.
  static func isBelow(_ bound: Bound, _ other: Bound) -> Bool {
    bound.number < other.number
      || bound.number == other.number && (bound.isExclusive || !other.isExclusive)
  }

  /// Required names, and what they bring with them; each round may find more.
  private mutating func gatherRequired() {
    for _ in 0..<8 {
      let count = required.count
      let known = objects.count
      for object in objects {
        required.formUnion((object["required"]?.listOfStrings ?? []).map(ExactText.init))
        // Only a dictionary has members, and only its names bring others.
        for (name, names) in object["dependentRequired"]?.members ?? []
        where required.contains(ExactText(name)) {
          required.formUnion((names.listOfStrings ?? []).map(ExactText.init))
        }
      }
      if kinds.isSubset(of: .object) {
        let more = objects.flatMap { object in
          object.schemas("dependentSchemas").filter { required.contains(ExactText($0.name)) }
        }
        gather(more.map(\.place))
        for object in objects[known...] { readScalars(object) }
      }
      if required.count == count, objects.count == known { return }
    }
  }

  private mutating func readAlternatives(_ place: SchemaPlace) {
    func add(_ keyword: String, _ branches: [[SchemaPlace]]) {
      let choice = Conjunction.Choice(place: place, keyword: keyword)
      guard !branches.isEmpty, !conjunction.choices.contains(choice) else { return }
      alternatives.append(Alternatives(choice: choice, branches: branches))
    }
    add("anyOf", place.list("anyOf").map { [$0] })
    add("oneOf", place.list("oneOf").map { [$0] })
    if let condition = place.schema("if") {
      add("if", [[condition] + Self.some(place.schema("then")), Self.some(place.schema("else"))])
    }
  }

  private static func some(_ place: SchemaPlace?) -> [SchemaPlace] { place.map { [$0] } ?? [] }

  // MARK: Conclusions

  /// Leaves out kinds that no value of the facts has.
  private mutating func reduceKinds() {
    if divisors.contains(where: \.isIntegral) { kinds.subtract(.fraction) }
    if let minimum, let maximum {
      let isEmpty =
        minimum.number > maximum.number
        || minimum.number == maximum.number && (minimum.isExclusive || maximum.isExclusive)
      if isEmpty { kinds.subtract(.number) }
    }
    if let low = count("minLength", isLower: true), let high = count("maxLength", isLower: false),
      low > high
    {
      kinds.subtract(.text)
    }
    if let low = count("minItems", isLower: true), let high = count("maxItems", isLower: false),
      low > high
    {
      kinds.subtract(.array)
    }
    if let values = listed {
      let kept = values.filter { !ValueKinds(of: $0, isExact: false).isDisjoint(with: kinds) }
      listed = kept
      kinds.formIntersection(
        kept.reduce(into: []) { $0.formUnion(ValueKinds(of: $1, isExact: false)) })
    }
  }

  /// The tightest of a keyword that counts.
  func count(_ keyword: String, isLower: Bool) -> Int? {
    let counts = objects.compactMap { object -> Int? in
      guard let tree = object[keyword], let number = ExactNumber(tree)?.integer else {
        return nil
      }
      // A count beyond `Int` is as good as the largest.
      return number < 0 ? nil : Int(clamping: number)
    }
    return isLower ? counts.max() : counts.min()
  }

  /// The schema that holds a keyword, for its pointer; the first of the conjunction if none does.
  func pointer(_ keyword: String) -> String {
    let holder = objects.first { $0.side == .inner && $0[keyword] != nil }
    if let holder { return holder.pointer(to: keyword) }
    return conjunction.places.first { $0.side == .inner }?.pointer
      ?? conjunction.places.first?.pointer ?? ""
  }
}
