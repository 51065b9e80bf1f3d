// What the values of one location may be: the facts of its schemas, and the edges near which faults hide.

import ArchiveBasics
import ArchiveGraph
import ArchivePatterns
import ArchivePropertyLists
import ArchiveWriting

/// What a generator needs beside the schemas.
package struct SampleHints {
  /// Texts for locations whose schema does not determine them.
  package var texts: [String] = []
  /// Texts that are preferred in members with a name, and in lists there.
  package var members: [String: [String]] = [:]
  /// Numbers for such locations.
  package var numbers: [SyntheticValue] = []
  /// Whether values are also made of the types that a schema does not name but that count as the same: a date or data
  /// where it says `string`, a real without a fraction where it says `integer`.
  package var hasLookalikes = false

  /// Makes hints.
  package init() {}
}

/// The locations of two documents, each made when it is first needed.
final class SampleShapes {
  fileprivate struct Key: Hashable {
    let schemas: Conjunction
    let hints: [Subschema]
    let texts: [String]
    let className: String?
  }

  let documents: SchemaDocuments
  let hints: SampleHints
  private var known: [Key: SampleShape] = [:]

  init(_ documents: SchemaDocuments, _ hints: SampleHints) {
    (self.documents, self.hints) = (documents, hints)
  }

  /// The shape of values that fit schemas.
  ///
  /// - Parameters:
  ///   - hints: schemas of the other document at the location; values near their edges are made as well.
  ///   - texts: texts that are preferred.
  ///   - className: the class whose texts the values are, if the schemas do not name it.
  func shape(
    _ schemas: Conjunction, hints: [Subschema], preferring texts: [String] = [],
    className: String? = nil
  ) -> SampleShape {
    let key = Key(schemas: schemas, hints: hints, texts: texts, className: className)
    if let shape = known[key] { return shape }
    let facts = SchemaFacts(schemas)
    // A value near the edges of one branch may be what another needs.
    let shape = SampleShape(
      facts, hints: (hints + facts.objects).withBranches.filter { !facts.objects.contains($0) },
      preferring: texts, className: className, of: self)
    known[key] = shape
    return shape
  }
}

final class SampleShape {
  let facts: SchemaFacts
  private let hints: [Subschema]
  private let preferred: [String]
  /// The class whose texts the values are, if the schemas do not name it.
  private let impliedClass: String?
  private unowned let shapes: SampleShapes
  private var members: [CodePointString: SampleShape?] = [:]
  private var elements: [Int: SampleShape] = [:]

  fileprivate init(
    _ facts: SchemaFacts, hints: [Subschema], preferring texts: [String], className: String?,
    of shapes: SampleShapes
  ) {
    (self.facts, self.hints, preferred, self.shapes) = (facts, hints, texts, shapes)
    impliedClass = className
  }

  private(set) lazy var kinds: [ValueKinds] = {
    var kinds = facts.kinds
    let isExact = facts.objects.contains { $0["x-plist-type"] != nil }
    if !isExact {
      kinds.subtract(.uid)
      if !shapes.hints.hasLookalikes {
        if kinds.contains(.text) { kinds.subtract([.date, .data]) }
        if kinds.contains(.storedInteger), !kinds.contains(.fraction) { kinds.subtract(.wholeReal) }
        // A schema that names no type need not mean null.
        if facts.kinds == .all { kinds.subtract([.null, .wholeReal]) }
      }
    }
    return ValueKinds.single.map(\.0).filter(kinds.contains)
  }()

  /// The structure of an object that keywords about classes require; the first schema that has a keyword counts.
  func structure(_ keyword: String) -> JSONTree? {
    facts.objects.lazy.compactMap { $0[keyword] }.first
  }

  /// The first name of `x-class`.
  var className: String? {
    structure("x-class").flatMap { $0.string ?? $0.list?.first?.string } ?? impliedClass
  }

  var archived: Subschema? {
    facts.objects.lazy.compactMap { schema in
      guard let archived = schema.schema("x-archived") else { return nil }
      return archived["$ref"].flatMap(archived.target) ?? archived
    }.first
  }

  func holdsText(_ archived: Subschema) -> Bool {
    let envelope = archived["x-archive"]?["envelope"]?.string
    return structure("x-encoded") != nil || envelope == Envelope.json.rawValue
  }

  func layered(_ archive: [UInt8]) -> [UInt8]? {
    let layers = (structure("x-encoded")?.strings ?? []).compactMap(DataLayer.init)
    let storage = try? LayeredData.wrapping(ByteStorage(copying: archive), in: layers)
    return storage.map { Array($0.bytes) }
  }

  // MARK: Branches

  /// The shapes of the branches of the first choice that is open; nil if there is none.
  private(set) lazy var branches: [SampleShape]? = facts.alternatives.map { choice in
    choice.branches.map { narrowed(by: $0, choosing: choice.choice) }
  }

  /// The shape of values that fit further schemas.
  func narrowed(by more: [Subschema], choosing choice: Conjunction.Choice? = nil) -> SampleShape {
    shapes.shape(
      facts.conjunction.adding(more, choosing: choice), hints: hints, preferring: preferred,
      className: impliedClass)
  }

  // MARK: Members

  /// The names that its schemas mention, in their order, then those of the hints.
  private(set) lazy var names: [String] = {
    var met: Set<CodePointString> = []
    let named = facts.objects.flatMap(\.mentionedNames).map(CodePointString.init)
    return (named + facts.memberNames.sorted()).filter { met.insert($0).inserted }.map(\.text)
  }()

  /// Names for members that its schemas do not mention.
  private(set) lazy var otherNames: [String] = {
    var numbers = SampleNumbers(seed: 0)
    var names: [String] = []
    if let keyClass = structure("x-key-class")?.string { names = SampleScalars.keys(keyClass) }
    for schema in facts.objects.compactMap({ $0.schema("propertyNames") }) {
      let shape = shapes.shape(Conjunction([schema], kinds: .text), hints: [])
      names += (shape.facts.listed?.compactMap(\.string) ?? shape.texts)
    }
    for pattern in facts.memberPatterns + hintPatterns {
      guard let sample = shapes.documents.patterns.pattern(pattern.text) else { continue }
      names += (0..<3).compactMap { _ in sample.text(using: &numbers) }
    }
    if names.isEmpty || shapes.hints.hasLookalikes {
      names += ["another", "a b", "é"]
      names += hints.flatMap { $0.mentionedNames + $0["required"].strings }
      names += shapes.hints.texts.prefix(64)
    }
    let known = Set(self.names.map(CodePointString.init))
    var met: Set<CodePointString> = []
    return names.filter { name in
      let name = CodePointString(name)
      return !known.contains(name) && met.insert(name).inserted
    }
  }()

  private var hintPatterns: [CodePointString] {
    hints.flatMap { $0.schemas("patternProperties").map { CodePointString($0.name) } }
  }

  /// The names that a member requires beside it.
  func dependents(of name: String) -> [String] {
    facts.objects.flatMap { $0["dependentRequired"]?[name]?.strings ?? [] }
  }

  /// The schemas that apply to an object which has a member.
  func dependentSchemas(of name: String) -> [Subschema] {
    facts.objects.compactMap { $0.schema("dependentSchemas", name) }
  }

  /// The shape of a member; nil if it is forbidden.
  func member(_ name: String) -> SampleShape? {
    let key = CodePointString(name)
    if let known = members[key] { return known }
    let names = shapes.documents.patterns.names(key, of: facts.memberPatterns + hintPatterns)
    let schemas = facts.onlyNames?.contains(key) == false ? nil : facts.member(names)
    let parts = hints.flatMap { SchemaFacts.schemas(of: names, in: $0) }
    let texts = shapes.hints.members[name] ?? []
    let className = isCodableURL && name == "relative" ? "NSURL" : nil
    let shape = schemas.map {
      shapes.shape($0, hints: parts, preferring: texts, className: className)
    }
    members[key] = .some(shape)
    return shape
  }

  /// Whether its values are URLs as Codable writes them, whose texts are no others; a comparison needs all texts.
  private(set) lazy var isCodableURL =
    !shapes.hints.hasLookalikes && facts.objects.contains(where: \.tree.describesCodableURL)

  // MARK: Elements

  func element(_ index: Int) -> SampleShape {
    let index = min(index, facts.prefixCount)
    if let known = elements[index] { return known }
    let parts = hints.flatMap { SchemaFacts.schemas(ofElement: index, in: $0) }
    let shape = shapes.shape(facts.element(index), hints: parts, preferring: preferred)
    elements[index] = shape
    return shape
  }

  var isUnique: Bool {
    facts.objects.contains { $0["uniqueItems"]?.boolean == true }
      || ["NSSet", "NSMutableSet"].contains(className)
  }

  /// The schemas that some elements must fit, and how many of them.
  var contained: [(schema: Subschema, count: Int)] {
    facts.objects.compactMap { schema in
      schema.schema("contains").map { schema in
        let least = schema["minContains"].flatMap { ExactNumber($0)?.integer } ?? 1
        return (schema, Int(clamping: min(least, Int128(SampleScalars.lengthLimit))))
      }
    }
  }

  // MARK: Counts

  /// The possible numbers of characters, elements or members, at the edges: least first.
  ///
  /// - Parameter word: `Length`, `Items` or `Properties`.
  func counts(_ word: String, usual: [Int]) -> [Int] {
    let least = facts.count("min" + word) ?? 0
    let most = facts.count("max" + word) ?? .max
    var counts = usual + [least, least &+ 1, most]
    for hint in hints {
      counts += ["min", "max"].compactMap { hint[$0 + word].flatMap { ExactNumber($0)?.integer } }
        .flatMap { number in
          let limit = Int(clamping: number)
          return [max(limit, 1) - 1, limit, min(limit, SampleScalars.lengthLimit) + 1]
        }
    }
    guard least <= most else { return [] }
    return Set(counts).filter { (least...most).contains($0) && $0 <= SampleScalars.lengthLimit }
      .sorted()
  }

  // MARK: Scalars

  func scalars(_ kind: ValueKinds) -> [SyntheticValue] {
    switch kind {
    case .null: [.null]
    case .boolean: [.boolean(false), .boolean(true)]
    case .text: texts.map { .string($0) }
    case .date: SampleScalars.dates.map { .date($0) }
    case .data: SampleScalars.data.map { .data($0) }
    case .storedInteger: integers
    case .wholeReal: reals.filter { $0 == $0.rounded() }.map { .real($0) }
    case .fraction: reals.filter { $0 != $0.rounded() }.map { .real($0) }
    default: []
    }
  }

  private(set) lazy var listed: [SyntheticValue]? = facts.listed.map { values in
    values.flatMap { value -> [SyntheticValue] in
      let form = SyntheticValue(sample: value)
      // 1 and 1.0 are equal in JSON Schema.
      guard shapes.hints.hasLookalikes, case .integer(let number) = form else { return [form] }
      return [form, .real(Double(number))]
    }
  }

  private func strings(_ keyword: String, of schemas: [Subschema]) -> [String] {
    schemas.compactMap { $0[keyword]?.string }
  }

  private(set) lazy var texts: [String] = {
    var numbers = SampleNumbers(seed: 0)
    let patterns = strings("pattern", of: facts.objects)
    let formats = strings("format", of: facts.objects)
    var texts = facts.objects.flatMap { $0["examples"].strings + $0["default"].strings }
    for pattern in (patterns + strings("pattern", of: hints)).compactMap({
      shapes.documents.patterns.pattern($0)
    }) {
      texts += (0..<6).compactMap { _ in pattern.text(using: &numbers) }
    }
    for format in formats + strings("format", of: hints) {
      texts += StringFormat(rawValue: format)?.samples ?? []
    }
    let classes = [className] + hints.map { $0["x-class"].strings.first }
    let preferred = preferred + classes.flatMap { SampleScalars.texts(ofClass: $0) }
    texts += hints.flatMap { $0["const"].strings + $0["enum"].strings }
    if patterns.isEmpty, formats.isEmpty || shapes.hints.hasLookalikes, className == nil {
      texts += counts("Length", usual: [0, 1, 5]).map { String(repeating: "x", count: $0) }
      texts += SampleScalars.texts + shapes.hints.texts
    }
    texts += preferred
    let least = facts.count("minLength") ?? 0
    let most = facts.count("maxLength") ?? .max
    let known = formats.compactMap { StringFormat(rawValue: $0) }
    var met: Set<CodePointString> = []
    let fitting = texts.filter { text in
      let length = text.unicodeScalars.count
      return length >= least && length <= most && known.allSatisfy { $0.accepts(text) }
        && patterns.allSatisfy { shapes.documents.patterns.pattern($0)?.matches(text) == true }
        && met.insert(CodePointString(text)).inserted
    }
    let better = preferred.filter { met.contains(CodePointString($0)) }
    guard !better.isEmpty else { return fitting }
    // Most texts are of those.
    return fitting
      + Array(repeating: better, count: 1 + 5 * fitting.count / better.count).joined()
  }()

  private lazy var integers = bounded.compactMap(\.integer).compactMap { SyntheticValue(whole: $0) }

  private lazy var reals: [Double] = bounded.map(\.real)

  /// The numbers within the bounds: usual ones, those at the edges, and multiples.
  private lazy var bounded: [ExactNumber] = {
    let schemas = facts.objects + hints
    var numbers = SampleScalars.numbers
    for hint in shapes.hints.numbers
      + schemas.flatMap({ schema in
        (schema["examples"]?.list ?? []).map { SyntheticValue(sample: $0) }
      })
    {
      if let number = ExactNumber(hint.sampleTree) { numbers.append(number) }
    }
    for keyword in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "const"] {
      numbers += schemas.compactMap { $0[keyword].flatMap { ExactNumber($0) } }.flatMap(Self.near)
    }
    numbers += hints.flatMap { $0["enum"]?.list ?? [] }.prefix(16).compactMap { ExactNumber($0) }
      .flatMap(Self.near)
    let divisors = schemas.compactMap { $0["multipleOf"].flatMap { ExactNumber($0) } }
    for divisor in divisors where divisor.isPositive {
      let edges = [facts.minimum, facts.maximum].compactMap { $0?.number.real }
      for factor in [0, 1, -1, 2, 3, 7] + edges.map({ ($0 / divisor.real).rounded(.up) }) {
        numbers += [factor, factor - 1].compactMap { ExactNumber($0 * divisor.real) }
      }
    }
    var met: Set<String> = []
    return numbers.filter { number in
      met.insert(number.text).inserted && facts.allows(number)
    }
  }()

  private static func near(_ number: ExactNumber) -> [ExactNumber] {
    if let whole = number.integer, whole.magnitude < 1 << 100 {
      let halves = whole.magnitude < 1 << 50 ? [Double(whole) + 0.5, Double(whole) - 0.5] : []
      return [number, .integer(whole - 1), .integer(whole + 1)]
        + halves.compactMap { ExactNumber($0) }
    }
    let real = number.real
    return [number]
      + [real.nextUp, real.nextDown, real + 1, real - 1, real.rounded(.up), real.rounded(.down)]
      .compactMap { ExactNumber($0) }
  }
}

extension SchemaFacts {
  /// Whether a number is within the bounds and a multiple as required.
  fileprivate func allows(_ number: ExactNumber) -> Bool {
    let bound = Bound(number: number, isExclusive: false)
    return minimum.map { Self.isAbove(bound, $0) } != false
      && maximum.map { Self.isBelow(bound, $0) } != false
      && divisors.allSatisfy { number.isMultiple(of: $0) }
  }
}

extension Subschema {
  /// The names of members that its keywords list, in order.
  fileprivate var mentionedNames: [String] {
    ["properties", "dependentRequired", "dependentSchemas"].flatMap {
      (self[$0]?.members ?? []).map(\.0)
    }
  }
}

extension Optional where Wrapped == JSONTree {
  /// The text of a string, and those of an array.
  fileprivate var strings: [String] { self?.strings ?? [] }
}

// MARK: - Draws values of a schema at random: each branch, optional members present and absent, lists of each edge length
//
// Only one value at a time is made, and most of them fit: the caller validates each, and drops those that do not.

struct SampleValues {
  /// Beyond this depth a value gets no more than it must have.
  private static let comfortableDepth = 6
  /// Beyond this depth no value is found.
  private static let depthLimit = 48
  /// Beyond this many values the rest gets no more than it must have.
  private static let comfortableCount = 120
  /// A value of which more parts were tried is given up: branches that all lead into themselves have no end.
  private static let countLimit = 50_000

  private let root: SampleShape
  /// Makes the archive in a data value that a schema requires.
  private let archive: (Subschema, inout SampleNumbers) -> [UInt8]?
  private var numbers = SampleNumbers(seed: 0)
  private var size = Size.random
  private var count = 0

  /// How much of what is optional a value has.
  private enum Size { case least, most, random }

  init(
    _ root: SampleShape, archive: @escaping (Subschema, inout SampleNumbers) -> [UInt8]?
  ) {
    (self.root, self.archive) = (root, archive)
  }

  var isGivenUp: Bool { count >= Self.countLimit }

  /// The value with a number: the first has no more than it must, the second as much as it can.
  mutating func value(_ number: Int, using numbers: inout SampleNumbers) -> SyntheticValue? {
    size = number == 0 ? .least : number == 1 ? .most : .random
    count = 0
    self.numbers = numbers
    defer { numbers = self.numbers }
    return value(root, depth: 0)
  }

  private mutating func value(_ shape: SampleShape, depth: Int) -> SyntheticValue? {
    guard depth < Self.depthLimit, !isGivenUp, !shape.kinds.isEmpty else { return nil }
    count += 1
    if let branches = shape.branches {
      // Far inside, a branch without parts ends the value.
      let order = branches.shuffled(using: &numbers)
      for branch in isBrief(depth)
        ? order.filter(\.isScalar) + order.filter({ !$0.isScalar }) : order
      {
        if let value = value(branch, depth: depth) { return value }
      }
      return nil
    }
    if let listed = shape.listed { return listed.randomElement(using: &numbers) }
    let kinds =
      isBrief(depth) && shape.kinds.contains(where: \.isScalarKind)
      ? shape.kinds.filter(\.isScalarKind) : shape.kinds
    for kind in kinds.shuffled(using: &numbers) {
      let value: SyntheticValue? =
        switch kind {
        case .array: list(shape, depth)
        case .dictionary: object(shape, depth)
        case .data: data(shape)
        case .text where shape.archived != nil: text(shape)
        default: shape.scalars(kind).randomElement(using: &numbers)
        }
      if let value { return value }
    }
    return nil
  }

  /// Whether the value gets no more than it must have.
  private func isBrief(_ depth: Int) -> Bool {
    size == .least || depth > Self.comfortableDepth || count > Self.comfortableCount
  }

  private mutating func data(_ shape: SampleShape) -> SyntheticValue? {
    guard let archived = shape.archived else {
      return shape.scalars(.data).randomElement(using: &numbers)
    }
    return archive(archived, &numbers).flatMap(shape.layered).map { .data($0) }
  }

  /// A text that holds an archive in layers, or JSON; another where neither is declared.
  private mutating func text(_ shape: SampleShape) -> SyntheticValue? {
    guard let archived = shape.archived, shape.holdsText(archived) else {
      return shape.scalars(.text).randomElement(using: &numbers)
    }
    return archive(archived, &numbers).flatMap(shape.layered).flatMap {
      String(validating: $0, as: UTF8.self)
    }.map { .string($0) }
  }

  // MARK: Lists

  private mutating func list(_ shape: SampleShape, _ depth: Int) -> SyntheticValue? {
    let counts = shape.counts("Items", usual: [0, 1, 2, 3, shape.facts.prefixCount])
    guard let least = counts.first else { return nil }
    let most = counts.last { $0 <= max(least, 3) } ?? least
    var count =
      isBrief(depth) ? least : size == .most ? most : counts.randomElement(using: &numbers) ?? least
    // Long lists are rare, since each of their elements costs as much as another value.
    if count > 8, count > least, !numbers.isOne(in: 16) { count = most }
    var items: [SyntheticValue] = []
    var met: Set<String> = []
    let contained = shape.contained.flatMap { Array(repeating: $0.schema, count: $0.count) }
    for index
      in 0..<max(count, min(contained.count, shape.facts.count("maxItems") ?? .max))
    {
      var element = shape.element(index)
      if index < contained.count { element = element.narrowed(by: [contained[index]]) }
      for _ in 0..<(shape.isUnique ? 8 : 1) {
        guard let item = value(element, depth: depth + 1) else { break }
        if shape.isUnique, !met.insert(item.sampleTree.compactText).inserted { continue }
        items.append(item)
        break
      }
      guard items.count == index + 1 else { break }
    }
    return items.count >= least ? .list(items) : nil
  }

  // MARK: Objects

  /// A URL as Codable writes it: one with a base is relative.
  private mutating func url(_ shape: SampleShape, _ depth: Int) -> SyntheticValue? {
    guard let text = shape.member("relative"), let absolute = value(text, depth: depth + 1) else {
      return nil
    }
    let (base, relative) = SampleScalars.baseAndRelative
    guard shape.names.contains("base"), text.texts.contains(base), !isBrief(depth),
      size == .most || numbers.isOne(in: 2)
    else { return .members([("relative", absolute)]) }
    return .members([
      ("relative", .string(relative)), ("base", .members([("relative", .string(base))])),
    ])
  }

  private mutating func object(_ shape: SampleShape, _ depth: Int) -> SyntheticValue? {
    if shape.isCodableURL { return url(shape, depth) }
    let counts = shape.counts("Properties", usual: [0])
    guard let least = counts.first else { return nil }
    let most = shape.facts.count("maxProperties") ?? SampleScalars.lengthLimit
    let isBrief = isBrief(depth)
    let required = shape.facts.required
    var names = shape.names.filter { required.contains(CodePointString($0)) }
    var spare = shape.names.filter { !required.contains(CodePointString($0)) }
    if size == .random || isBrief { spare.shuffle(using: &numbers) }
    let share: UInt64 = size == .most ? 1 : [1, 2, 2, 4].randomElement(using: &numbers) ?? 2
    if !isBrief {
      names += spare.filter { _ in numbers.isOne(in: share) }
      if size == .most || numbers.isOne(in: 4) {
        names += shape.otherNames.shuffled(using: &numbers).prefix(numbers.isOne(in: 2) ? 1 : 3)
      }
    }
    let wanted = isBrief ? least : counts.filter { $0 <= 8 }.randomElement(using: &numbers) ?? least
    let others = spare + shape.otherNames.shuffled(using: &numbers)
    names += others.filter { !names.contains($0) }.prefix(max(wanted - names.count, 0))
    return members(Array(names.prefix(max(most, 0))), of: shape, depth)
  }

  private mutating func members(
    _ names: [String], of shape: SampleShape, _ depth: Int
  ) -> SyntheticValue? {
    var shape = shape
    var members: [(name: String, value: SyntheticValue)] = []
    var waiting = Array(names.reversed())
    var met: Set<CodePointString> = []
    while let name = waiting.popLast() {
      guard met.insert(CodePointString(name)).inserted else { continue }
      let more = shape.dependentSchemas(of: name)
      if !more.isEmpty {
        shape = shape.narrowed(by: more)
        waiting += shape.names.filter { shape.facts.required.contains(CodePointString($0)) }
      }
      waiting += shape.dependents(of: name)
      guard let member = shape.member(name), let value = value(member, depth: depth + 1) else {
        if shape.facts.required.contains(CodePointString(name)) { return nil }
        continue
      }
      members.append((name, value))
    }
    return .members(members)
  }
}

extension SampleShape {
  fileprivate var isScalar: Bool { kinds.allSatisfy(\.isScalarKind) }
}

extension ValueKinds {
  fileprivate var isScalarKind: Bool { self != .array && self != .dictionary }
}
