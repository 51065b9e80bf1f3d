// Makes archives of a version: values that fit its schema, in its envelope, with each class and storage.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

/// A generated value that fits a version.
package struct Sample {
  /// The model.
  package var value: SyntheticValue
  /// Which of the classes and storages that the schema allows its archive has.
  fileprivate let variant: UInt64
}

/// Generates samples of a version, the same ones for the same seed.
package struct SampleGenerator {
  private static let drawLimit = 60
  /// After so many values that were given up none is drawn any more.
  private static let givenUpLimit = 4

  private let version: SchemaVersion
  private let seed: UInt64
  private let shapes: SampleShapes
  private let hasArchivedData: Bool
  private var values: SampleValues?
  private var givenUpCount = 0
  /// Whether its schema states that there are none.
  package private(set) var isEmpty = false

  /// Specifies the samples.
  ///
  /// - Parameters:
  ///   - version: the version that they fit.
  ///   - other: another version, near whose edges values are made as well.
  ///   - hints: what else is known.
  ///   - fitsBoth: whether they are to fit the other version as well, which is not checked.
  ///   - depth: how many archives enclose those that are made.
  package init(
    _ version: SchemaVersion, toward other: SchemaVersion? = nil,
    hints: SampleHints = SampleHints(), seed: UInt64 = 0, fitsBoth: Bool = false, depth: Int = 0
  ) {
    (self.version, self.seed) = (version, seed)
    hasArchivedData = version.hasArchivedData
    let documents = SchemaDocuments(
      inner: version.documents, outer: (other ?? version).documents,
      options: SchemaComparison.Options(comparesArchives: false))
    shapes = SampleShapes(documents, hints)
    let (inner, outer) = (documents.inner, documents.outer)
    let root = shapes.shape(
      Conjunction(fitsBoth ? [inner, outer] : [inner]), hints: other == nil ? [] : [outer])
    isEmpty = root.facts.kinds.isEmpty
    values = SampleValues(root) { archived, numbers in
      depth < 3 ? Self.archive(archived, hints, &numbers, depth: depth + 1) : nil
    }
  }

  /// A sample by its number; nil if none was found that fits.
  package mutating func sample(_ number: Int) throws(ArchiveError) -> Sample? {
    var numbers = SampleNumbers(seed: seed, series: number)
    for draw in 0..<Self.drawLimit where givenUpCount < Self.givenUpLimit {
      // What the first draw had the least or the most of did not fit.
      let size = draw < 4 ? number : number + 2
      guard let value = values?.value(size, using: &numbers) else {
        if values?.isGivenUp == true { givenUpCount += 1 }
        continue
      }
      let isList = version.allowsList && numbers.isOne(in: 8)
      let sample = Sample(value: isList ? .list([value, value]) : value, variant: numbers.next())
      if try fits(sample) { return sample }
    }
    return nil
  }

  /// Whether the model of a sample fits its version.
  package func fits(_ sample: Sample) throws(ArchiveError) -> Bool {
    // Only what was read has archives in its data.
    if hasArchivedData { return try archive(of: sample) != nil }
    let (root, graph) = sample.value.inGraph()
    return try version.validate(root, in: graph).isEmpty
  }

  /// The bytes of a sample's archive, in the version's envelope; nil if that cannot hold it.
  package func archive(of sample: Sample) throws(ArchiveError) -> ByteStorage? {
    let (root, graph) = sample.value.inGraph()
    for shape in [VariedShape(schema: version.schema, variant: sample.variant), version.schema]
      as [any TypeHints]
    {
      do throws(ArchiveError) {
        let classes = version.classPatterns.filter { !$0.utf8.contains(UInt8(ascii: "*")) }
        let className =
          classes.isEmpty
          ? version.newRootClass ?? "Sample"
          : classes[Int(sample.variant % UInt64(classes.count))]
        let bytes = try version.archive(
          of: root, in: graph, className: className, shape: shape
        ).intoStorage()
        // The envelope may have changed the value, such as its nulls.
        if try version.validate(ArchiveReader().read(bytes)).isEmpty { return bytes }
      } catch {
        guard error.isRefusal else { throw error }
      }
    }
    return nil
  }

  private static func archive(
    _ schema: Subschema, _ hints: SampleHints, _ numbers: inout SampleNumbers, depth: Int
  ) -> [UInt8]? {
    do throws(ArchiveError) {
      let version = try SchemaVersion(
        family: "", name: "archive", tree: schema.tree, uri: "")
      var generator = SampleGenerator(
        version, hints: hints, seed: numbers.next(), depth: depth)
      guard let sample = try generator.sample(Int(numbers.next() % 1024)) else { return nil }
      return try generator.archive(of: sample).map { Array($0.bytes) }
    } catch {
      return nil
    }
  }
}

/// A schema of which each rule about classes and storage names one of the possible ones, chosen by a number.
private struct VariedShape: TypeHints {
  let schema: CompiledSchema
  let variant: UInt64

  var root: Int { schema.root }
  var foundation: FoundationKind { schema.foundation }
  var jsonCoding: JSONCoding { schema.jsonCoding }
  func member(_ index: Int, _ key: Text) -> Int? { schema.member(index, key) }
  func element(_ index: Int) -> Int { schema.element(index) }
  func number(_ index: Int) -> NumberShape { schema.number(index) }
  func exactType(_ index: Int) -> ExactShape { schema.exactType(index) }
  func names(_ name: String, in index: Int) -> Bool { schema.names(name, in: index) }
  func allowsNull(_ name: String, in index: Int) -> Bool { schema.allowsNull(name, in: index) }

  func structure(_ index: Int) -> StructureRule? {
    var rule = schema.structure(index) ?? StructureRule()
    var numbers = SampleNumbers(seed: variant, series: index)
    let names = rule.classes.filter { !$0.utf8.contains(UInt8(ascii: "*")) }
    if let name = names.randomElement(using: &numbers) { rule.classes = [name] }
    // What has a class is an object.
    if rule.storages.isEmpty {
      rule.storages = rule.classes.isEmpty ? FieldStorage.allCases : [.boxed]
    }
    if let storage = rule.storages.randomElement(using: &numbers) { rule.storages = [storage] }
    return rule
  }
}

// MARK: - New archives of a version

extension SchemaVersion {
  /// The class of a new root object: the class in the schema, or the first of its classes unless that is a pattern.
  package var newRootClass: String? {
    if let name = schema.structure(schema.root)?.className { return name }
    return classPatterns.first.flatMap { $0.utf8.contains(UInt8(ascii: "*")) ? nil : $0 }
  }

  /// The bytes of a new archive of a model, in the version's envelope.
  ///
  /// Classes and storage that the shape does not specify are those of NSDictionary and NSNumber.
  ///
  /// - Parameters:
  ///   - className: the class of the root object if the envelope is `nscoding`.
  ///   - shape: the classes and types of the values; nil for the schema.
  /// - Throws: `ArchiveError` if the envelope cannot represent a value.
  package func archive(
    of root: Node, in graph: ObjectGraph, className: String?, shape: (any TypeHints)? = nil
  ) throws(ArchiveError) -> ByteBuffer {
    let envelope = envelope ?? .plist
    let shape = shape ?? schema
    guard envelope == .nscoding || envelope == .dictionariable && schema.hasStructure else {
      return try EnvelopeWriter.wrap(
        root, of: graph, in: envelope, shape: shape, className: className,
        topKey: topKey ?? UnwrappedModel.rootKey)
    }
    var request = ArchiveAssembly.Request(
      root: root, shape: shape, envelope: envelope, keepsStructure: false,
      rootClass: envelope == .nscoding ? className : nil)
    request.newTopKey = topKey
    return BinaryWriter.write(
      try ArchiveAssembly.assemble(request, of: graph, isLenient: true).document)
  }
}

// MARK: - Finds a small value with the same fault: drops parts and simplifies scalars, while the fault stays

/// Shrinks values.
package struct SampleShrinking {
  private let limit: Int
  private var tried = 0

  /// Specifies how many values are tried.
  package init(limit: Int = 400) { self.limit = limit }

  /// The smallest value found that still has the fault.
  ///
  /// - Parameter fails: whether a value has the fault.
  package mutating func smallest(
    _ value: SyntheticValue, while fails: (SyntheticValue) -> Bool
  ) -> SyntheticValue {
    var value = value
    var isSmaller = true
    while isSmaller, tried < limit {
      isSmaller = false
      // Outer parts first: what is in them is gone with them.
      for depth in 0..<8 {
        var position = 0
        while tried < limit {
          var number = position
          guard let candidates = Self.variants(value, depth, &number) else { break }
          guard let next = candidates.first(where: { tries($0, fails) }) else {
            position += 1
            continue
          }
          value = next
          isSmaller = true
        }
      }
    }
    return value
  }

  private mutating func tries(
    _ value: SyntheticValue, _ fails: (SyntheticValue) -> Bool
  ) -> Bool {
    guard tried < limit else { return false }
    tried += 1
    return fails(value)
  }

  /// The simpler forms of a value in which only the part with a number at a depth differs; nil if there is no such part.
  private static func variants(
    _ value: SyntheticValue, _ depth: Int, _ number: inout Int
  ) -> [SyntheticValue]? {
    if depth == 0 {
      number -= 1
      return number < 0 ? simpler(value) : nil
    }
    switch value {
    case .list(let items):
      for (index, item) in items.enumerated() {
        guard let forms = variants(item, depth - 1, &number) else { continue }
        return forms.map { form in
          var items = items
          items[index] = form
          return .list(items)
        }
      }
    case .members(let members):
      for (index, member) in members.enumerated() {
        guard let forms = variants(member.value, depth - 1, &number) else { continue }
        return forms.map { form in
          var members = members
          members[index].value = form
          return .members(members)
        }
      }
    default: break
    }
    return nil
  }

  /// The simpler forms of one value, simplest first.
  private static func simpler(_ value: SyntheticValue) -> [SyntheticValue] {
    switch value {
    case .list(let items):
      let halves: [SyntheticValue] =
        items.count < 4
        ? []
        : [
          .list(Array(items.prefix(items.count / 2))), .list(Array(items.suffix(items.count / 2))),
        ]
      return (items.isEmpty ? [] : [.list([])]) + halves
        + items.indices.map { index in
          .list(items.enumerated().filter { $0.offset != index }.map(\.element))
        }
    case .members(let members):
      return (members.count < 2 ? [] : [.members([])])
        + members.indices.map { index in
          .members(members.enumerated().filter { $0.offset != index }.map(\.element))
        }
    case .string(let text):
      let half = String(text.unicodeScalars.prefix(text.unicodeScalars.count / 2))
      return ["", "x", half].filter { $0.unicodeScalars.count < text.unicodeScalars.count }.map {
        .string($0)
      }
    case .integer(let number):
      return [0, 1, number / 2].filter { $0.magnitude < number.magnitude }.map { .integer($0) }
    case .unsigned(let number): return [.integer(0), .unsigned(number / 2)]
    case .real(let number):
      return [.integer(0)]
        + [0, 1, number.rounded(.towardZero), number.truncatingRemainder(dividingBy: 1)]
        .filter { abs($0) < abs(number) }.map { .real($0 == 0 ? 0 : $0) }
    case .date(let seconds):
      return [.string("")]
        + [0, seconds.rounded(.towardZero)].filter { abs($0) < abs(seconds) }.map { .date($0) }
    case .data(let bytes):
      return [.string("")]
        + (bytes.isEmpty ? [] : [.data([]), .data(Array(bytes.prefix(bytes.count / 2)))])
    case .boolean(let flag): return flag ? [.boolean(false)] : []
    default: return []
    }
  }
}
