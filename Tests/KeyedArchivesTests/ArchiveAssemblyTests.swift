// Assembled archives: classes, storage and identity of what is changed, what is not known, and containers of any depth.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

/// Rules by paths, in which `[]` is any element.
private final class PathShape: TypeHints {
  private var places: [String: Int] = ["$": 0]
  private var paths = ["$"]
  private let rules: [String: StructureRule]

  init(_ rules: [String: StructureRule] = [:]) { self.rules = rules }

  private func place(_ path: String) -> Int {
    if let known = places[path] { return known }
    places[path] = paths.count
    paths.append(path)
    return paths.count - 1
  }

  var root: Int { 0 }
  func member(_ place: Int, _ key: Text) -> Int? {
    rules.isEmpty ? 0 : self.place("\(paths[place]).\(key.string)")
  }
  func element(_ place: Int) -> Int { rules.isEmpty ? 0 : self.place("\(paths[place])[]") }
  func number(_ place: Int) -> NumberShape { .any }
  func structure(_ place: Int) -> StructureRule? { rules[paths[place]] }
}

private func rule(
  _ className: String? = nil, chain: [String] = [], storage: FieldStorage? = nil
) -> StructureRule {
  var rule = StructureRule()
  rule.classes = className.map { [$0] } ?? []
  rule.chain = chain
  rule.storages = storage.map { [$0] } ?? []
  return rule
}

@Suite struct ArchiveAssemblyTests {
  private func graph(_ json: String) throws -> ObjectGraph { try readGraph(Data(json.utf8)) }

  private func request(
    _ root: Node, _ rules: [String: StructureRule] = [:], envelope: Envelope = .nscoding,
    keepsStructure: Bool = false, rootClass: String? = "M"
  ) -> ArchiveAssembly.Request {
    ArchiveAssembly.Request(
      root: root, shape: PathShape(rules), envelope: envelope, keepsStructure: keepsStructure,
      rootClass: rootClass)
  }

  private func bytes(_ document: Document) -> Data { Data(BinaryWriter.write(document).array) }

  /// `$objects`, as Foundation reads it.
  private func objects(_ archive: Data) throws -> [Any] {
    let read = try PropertyListSerialization.propertyList(from: archive, format: nil)
    return try #require((read as? [String: Any])?["$objects"] as? [Any])
  }

  /// The chains of the class records, sorted.
  private func chains(_ archive: Data) throws -> [[String]] {
    try objects(archive).compactMap { ($0 as? [String: Any])?["$classes"] as? [String] }
      .sorted { $0.joined() < $1.joined() }
  }

  // MARK: What is not known

  private static let open = #"{"a": {"n": 1}, "l": [{"n": 2}, {"n": 3}], "n": 4}"#

  @Test(
    arguments: [
      ([:], "$.n", "--storage"),
      (
        ["$.n": rule(storage: .inline), "$.l[]": rule("X"), "$.l[].n": rule(storage: .boxed)],
        "$.a",
        "--class-of"
      ),
      (
        ["$.n": rule(storage: .inline), "$.a": rule("X"), "$.a.n": rule(storage: .boxed)], "$.l[1]",
        "--plain-containers"
      ),
    ] as [([String: StructureRule], String, String)])
  func whatNothingNamesIsRefusedWithTheOptionThatAnswersIt(
    rules: [String: StructureRule], path: String, option: String
  ) throws {
    let graph = try graph(Self.open)
    let error = #expect(throws: ArchiveError.self) {
      try ArchiveAssembly.assemble(request(graph.root, rules), of: graph).document
    }
    #expect(error?.code == .unrepresentable)
    #expect(error?.path?.description == path)
    #expect(error?.message.contains(option) == true)
  }

  @Test func whatNothingNamesIsCollected() throws {
    let graph = try graph(Self.open)
    let (document, unknowns) = try ArchiveAssembly.assemble(
      request(graph.root), of: graph, isLenient: true)
    let found = unknowns.map { "\($0.kind) \($0.path) \($0.text) \($0.count)" }
    // A dictionary's numbers are boxed in any case.
    #expect(
      Set(found) == [
        "class $.a NSDictionary 1", "class $.l[1] NSDictionary 2", "storage $.n boxed 1",
      ])
    #expect(
      try chains(bytes(document)) == [
        ["M", "NSObject"], ["NSArray", "NSObject"], ["NSDictionary", "NSObject"],
      ])
  }

  @Test func anUnknownClassOfTheRootIsCollectedOrRefused() throws {
    let graph = try graph(#"{"a": "x"}"#)
    var request = request(graph.root, rootClass: nil)
    request.allowsPlainContainers = true
    let error = #expect(throws: ArchiveError.self) {
      try ArchiveAssembly.assemble(request, of: graph).document
    }
    #expect(error?.message.contains("--class,") == true)
    let unknowns = try ArchiveAssembly.assemble(request, of: graph, isLenient: true).unknowns
    #expect(unknowns.map { "\($0.kind) \($0.path) \($0.text)" } == ["class $ NSDictionary"])
  }

  @Test(arguments: [FieldStorage.inline, .boxed], [false, true])
  func aRequestAnswersWhatTheSchemaLeavesOpen(storage: FieldStorage, isNamed: Bool) throws {
    let graph = try graph(Self.open)
    var request = request(graph.root, ["$.a": rule("A")])
    request.openStorage = storage
    request.allowsPlainContainers = !isNamed
    if isNamed {
      request.classes = [
        // The schema's class counts.
        (GraphPath([.key("a")]), "Other"), (GraphPath([.key("l"), .anyElement]), "Item"),
      ]
    }
    let archive = bytes(try ArchiveAssembly.assemble(request, of: graph).document)
    let item = isNamed ? "Item" : "NSDictionary"
    #expect(
      try chains(archive)
        == [
          ["A", "NSObject"], [item, "NSObject"], ["M", "NSObject"], ["NSArray", "NSObject"],
        ].sorted { $0.joined() < $1.joined() })
    let root = try #require(try objects(archive)[1] as? [String: Any])
    #expect((root["n"] as? Int == 4) == (storage == .inline))
  }

  // MARK: Classes

  @Test(
    arguments: [
      ("NSDictionary", [], ["NSDictionary", "NSObject"]),
      ("NSDictionary", ["NSDictionary", "Base", "NSObject"], ["NSDictionary", "NSObject"]),
      ("NSMutableDictionary", [], ["NSMutableDictionary", "NSDictionary", "NSObject"]),
      ("New", [], ["New", "Middle", "Base", "NSObject"]),
      ("New", ["New", "Other", "NSObject"], ["New", "Other", "NSObject"]),
      ("Base", [], ["Base", "NSObject"]),
      ("UIView", ["UIView", "UIResponder", "NSObject"], ["UIView", "UIResponder", "NSObject"]),
    ] as [(String, [String], [String])])
  func aNewClassHasSuperclassesOfItsOwn(
    name: String, declared: [String], chain: [String]
  ) throws {
    let old = ArchivedSample.instance(["Old", "Middle", "Base", "NSObject"], [("a", "x")])
    let graph = try readGraph(ArchivedSample.object("M", ["o": old]).archive)
    let request = request(
      graph.root, ["$.o": rule(name, chain: declared)], envelope: .dictionariable, rootClass: nil)
    let archive = bytes(try ArchiveAssembly.assemble(request, of: graph).document)
    #expect(try chains(archive).contains(chain))
  }

  @Test(arguments: ["NSMutableArray", "NSArray", "NSSet", "NSOrderedSet"])
  func aRootListKeepsItsClass(name: String) throws {
    let elements = [ArchivedSample.dictionary(["a": "x"])]
    let chain = name == "NSMutableArray" ? [name, "NSArray", "NSObject"] : [name, "NSObject"]
    let list = ArchivedSample.instance(chain, [("NS.objects", .list(elements))])
    let graph = try readGraph(list.archive)
    let request = request(graph.root, ["$": rule("G")], rootClass: "G")
    #expect(
      try chains(bytes(ArchiveAssembly.assemble(request, of: graph).document)).contains(chain))
  }

  @Test(arguments: ["NSSet", "NSOrderedSet", "NSArray"])
  func aNewCollectionIsOneThatFoundationReads(name: String) throws {
    let graph = try graph(#"{"n": ["q", "r"]}"#)
    let request = request(graph.root, ["$.n": rule(name)], rootClass: "NSDictionary")
    let archive = bytes(try ArchiveAssembly.assemble(request, of: graph).document)
    let read = try NSKeyedUnarchiver.unarchivedObject(
      ofClasses: [NSDictionary.self, NSSet.self, NSOrderedSet.self, NSArray.self, NSString.self],
      from: archive)
    let value = (read as? [String: Any])?["n"]
    let elements: [String]? =
      switch name {
      case "NSSet": (value as? Set<String>)?.sorted()
      case "NSOrderedSet": (value as? NSOrderedSet)?.array as? [String]
      default: value as? [String]
      }
    #expect(elements == ["q", "r"])
  }

  // MARK: Text

  /// A model with a member changed from `a` to `b`, the value as it was.
  private func renamed(_ value: ArchivedSample) throws -> (graph: ObjectGraph, root: Node) {
    let graph = try readGraph(ArchivedSample.object("M", ["a": value]).archive)
    guard case .object(_, let pairs) = graph.value(of: graph.root) else {
      throw ArchiveError(.mismatch, "the root is no object")
    }
    let slot = graph.slot(pairs.values, pairs.position(0))
    let form = SyntheticValue.changed(
      .pairs([(key: .string("b"), value: .node(graph.value(pairs, 0)))]),
      Origin(node: graph.root, parts: [Origin.Part(slot: slot)]))
    return (graph, graph.add(form, near: graph.root))
  }

  private func movedText(
    _ value: ArchivedSample, to target: StructureRule?, from source: StructureRule? = nil
  ) throws -> Data {
    let (graph, root) = try renamed(value)
    var request = request(
      root, target.map { ["$.b": $0] } ?? ["$": rule()], keepsStructure: true, rootClass: nil)
    request.sourceShape = source.map { PathShape(["$.a": $0]) }
    return bytes(try ArchiveAssembly.assemble(request, of: graph).document)
  }

  private static let url = ArchivedSample.object(
    "NSURL", ["NS.base": .null, "NS.relative": "http://x/"])

  @Test(arguments: [
    ("NSURL", "http://x/?q=%41#f"), ("NSUUID", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
    ("NSDecimalNumber", "-12.5"),
  ])
  func textBecomesAnObjectOfTheClassThatTheSchemaNamesAndComesBack(
    name: String, text: String
  ) throws {
    let archive = try movedText(.stored(.string(text)), to: rule(name))
    #expect(try chains(archive).contains { $0.first == name })
    let graph = try readGraph(archive)
    guard case .object(_, let pairs) = graph.value(of: graph.root),
      case .string(let shown) = graph.value(of: graph.value(pairs, 0))
    else {
      Issue.record("the value is no text")
      return
    }
    #expect(shown.string == text)
  }

  @Test(arguments: [
    ("NSURL", "http://x/ä"), ("NSURL", "a b"), ("NSURL", "%4"), ("NSUUID", "E621E1F8"),
    ("NSDecimalNumber", "twelve"),
  ])
  func otherTextIsRefusedWithItsPath(name: String, text: String) throws {
    let error = #expect(throws: ArchiveError.self) {
      try movedText(.stored(.string(text)), to: rule(name))
    }
    #expect(error?.path?.description == "$.b")
  }

  @Test func aURLStaysUnlessItsSchemaOrTheNextOneDemandsOtherwise() throws {
    func hasURL(_ target: StructureRule?, _ source: StructureRule?) throws -> Bool {
      try chains(movedText(Self.url, to: target, from: source)).contains { $0.first == "NSURL" }
    }
    #expect(try hasURL(nil, nil))
    #expect(try hasURL(rule("NSURL"), rule("NSURL")))
    #expect(try !hasURL(rule("NSString"), nil))
    #expect(try !hasURL(nil, rule("NSURL")))
  }

  @Test func aURLWithABaseDoesNotBecomeText() throws {
    let relative = ArchivedSample.object("NSURL", ["NS.base": Self.url, "NS.relative": "y"])
    let error = #expect(throws: ArchiveError.self) {
      try movedText(relative, to: rule("NSString"))
    }
    #expect(error?.path?.description == "$.b")
  }

  // MARK: Identity

  @Test(arguments: [SampleValue.integer(1), .string("1"), .real(0.5)])
  func replacedScalarsAreSharedAsTheirPredecessorsWere(old: SampleValue) throws {
    let shared = ArchivedSample.object("M", ["a": .stored(old), "b": .stored(old), "c": .uid(2)])
    let graph = try readGraph(shared.archive)
    guard case .object(_, let pairs) = graph.value(of: graph.root) else {
      Issue.record("the root is no object")
      return
    }
    let slots = (0..<3).map { graph.slot(pairs.values, pairs.position($0)) }
    for new in [SyntheticValue.integer(7), .string("7"), .date(7), .data([7])] {
      let form = SyntheticValue.changed(
        .pairs(["a", "b", "c"].map { (key: .string($0), value: new) }),
        Origin(node: graph.root, parts: slots.map { Origin.Part(slot: $0, storage: .boxed) }))
      let root = graph.add(form, near: graph.root)
      let archive = try readGraph(
        bytes(
          ArchiveAssembly.assemble(
            request(root, keepsStructure: true, rootClass: nil), of: graph
          ).document))
      guard case .object(_, let made) = archive.value(of: archive.root) else {
        Issue.record("the root is no object")
        return
      }
      let numbers = (0..<3).map {
        archive.slot(made.values, made.position($0)).flatMap { archive.objectNumber(in: $0) }
      }
      #expect(numbers[0] != nil && numbers[0] == numbers[2] && numbers[0] != numbers[1])
    }
  }

  // MARK: Depth

  /// An object whose field holds containers in one another.
  private static func deep(_ depth: Int, isList: Bool) -> Data {
    let (start, end) = isList ? ("<array>", "</array>") : ("<dict><key>k</key>", "</dict>")
    let value =
      String(repeating: start, count: depth) + "<true/>" + String(repeating: end, count: depth)
    let record =
      "<dict><key>$classname</key><string>M</string><key>$classes</key><array><string>M</string></array></dict>"
    return Data(
      IntegritySample.archive(["<dict><key>$class</key>#2<key>x</key>\(value)</dict>", record]))
  }

  /// Runs a body in a thread with half a megabyte for its stack.
  private func withSmallStack<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let thread = Thread { continuation.resume(with: Swift.Result { try body() }) }
      thread.stackSize = 512 << 10
      thread.start()
    }
  }

  @Test(arguments: [Envelope.nscoding, .dictionariable], [false, true])
  func containersOfAnyDepthAreAssembledOnASmallStack(envelope: Envelope, isList: Bool) async throws
  {
    let depth = 9900
    let archive = Self.deep(depth, isList: isList)
    let found = try await withSmallStack { () throws -> Int in
      let graph = try readGraph(archive)
      var request = request(
        graph.root, envelope: envelope, rootClass: envelope == .nscoding ? "M" : nil)
      request.allowsPlainContainers = true
      let made = try readGraph(bytes(ArchiveAssembly.assemble(request, of: graph).document))
      guard ModelComparison.firstDifference(graph.root, of: graph, made.root, of: made) == nil
      else { return -1 }
      var node = made.root
      var levels = -1
      while true {
        switch made.value(of: node) {
        case .object(_, let pairs), .dictionary(let pairs): node = made.value(pairs, 0)
        case .array(let elements): node = made.node(elements, 0)
        default: return levels
        }
        levels += 1
      }
    }
    #expect(found == depth)
  }
}
