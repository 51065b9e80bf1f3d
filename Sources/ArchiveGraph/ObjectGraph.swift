// The one model: every encoding is read into it, and every command is a function over it.

import ArchiveBasics

/// A graph of values: documents of flat tables, read on demand.
///
/// It is not thread-safe: reading opens nested archives and remembers them. Use one graph a task, or `withSharedReading`.
public final class ObjectGraph {
  /// What is necessary to read a value, without the owners that a `Document` keeps.
  @usableFromInline
  struct View {
    @usableFromInline var table: ValueTable
    /// The references of `$objects`; nil outside keyed archives.
    @usableFromInline var objects: UnsafeRawPointer?
    @usableFromInline var objectCount: Int
    /// Whether the string "$null" represents nil.
    @usableFromInline var marksNull = false
    /// Where each stored value leads, through `$objects` if it is a UID; nil for large archives and other documents.
    @usableFromInline var targets: UnsafeMutablePointer<UInt32>?
    /// The marker of each object of a large archive; nil for others.
    @usableFromInline var markers: UnsafePointer<UInt8>?
    /// What the objects are; nil if the interpreter is to be asked.
    @usableFromInline var resolved: ResolvedTable.View?
    /// Who reads dictionaries with a class; `interpreters` keeps it alive.
    @usableFromInline var interpreter: Unmanaged<ObjectInterpreter>?
  }

  /// Up to how many stored values an archive's references are followed once for all: 4 MiB of targets.
  private static let mostTargets = 1 << 20

  /// The bounds that hold for this graph.
  package let limits: Limits
  /// The documents; the first is the input itself.
  package private(set) var documents: [Document] = []
  /// The classes that the documents name.
  package private(set) var classes: [ClassDescription] = []
  /// Warnings about an input that could be read, in order.
  package var warnings: [ArchiveError] = []
  /// What could not be read of a damaged input, if reading went on all the same.
  package var losses: [ArchiveError] = []
  /// What the input is enclosed in, from the outside.
  package var wrappings: [Wrapping] = []
  /// What is inside of the wrappings; nil if there are none.
  package var unwrapped: ByteStorage?
  /// What came out of an input that was compressed or written as text, in which all offsets count; nil for others.
  package var inflated: ByteStorage?
  /// How many bytes may still come out of compressed data.
  package var inflationAllowance = 0
  /// Opens archives in data values; nil to leave them as bytes.
  package var nestedReader: (any NestedReader)?

  /// Where the views are.
  ///
  /// Behind a constant pointer, because each read of a class's variable is checked.
  @usableFromInline let viewsCell: UnsafeMutablePointer<UnsafeMutablePointer<View>>

  @inlinable
  var views: UnsafeMutablePointer<View> {
    @inline(__always) get { viewsCell.pointee }
  }

  private var capacity = 4
  private var interpreters: [ObjectInterpreter?] = []
  private var resolvedTables: [ResolvedTable] = []
  var contents: [Node: Node?] = [:]
  var contentErrors: [Node: ArchiveError] = [:]
  /// The roots of contents whose layers were taken off, by the names of the layers.
  package var layeredContents: [String: [Node: Node]] = [:]
  /// The numbers of the classes, once they are many.
  private var classNumbers: [ClassDescription: ClassIndex] = [:]
  private static let fewClasses = 16
  private var roots: [Node] = []
  var objectNumbers: [UInt32: [UInt32]] = [:]
  /// Held while what is remembered may change, if several threads read; nil for one.
  var readingLock: ConditionLock?
  let derived = SyntheticArena()
  var archivedBytes = 0

  /// Makes an empty graph.
  package init(limits: Limits = Limits()) {
    self.limits = limits
    viewsCell = .allocate(capacity: 1)
    viewsCell.initialize(to: .allocate(capacity: capacity))
  }

  deinit {
    for number in documents.indices { views[number].targets?.deallocate() }
    views.deallocate()
    viewsCell.deallocate()
  }

  // MARK: Documents

  /// Adds a document whose table was checked.
  ///
  /// - Returns: its number.
  package func add(_ document: Document, parent: Node? = nil) -> UInt32 {
    if documents.count == capacity {
      let larger = UnsafeMutablePointer<View>.allocate(capacity: capacity * 2)
      larger.moveInitialize(from: views, count: capacity)
      views.deallocate()
      viewsCell.pointee = larger
      capacity *= 2
    }
    (views + documents.count).initialize(
      to: View(table: document.table, objects: nil, objectCount: 0))
    var document = document
    document.parent = parent
    documents.append(document)
    interpreters.append(nil)
    let number = UInt32(documents.count - 1)
    roots.append(Node(document: number, index: document.top))
    return number
  }

  /// Declares a document a keyed archive: UIDs are followed from now on, and dictionaries interpreted.
  ///
  /// - Parameters:
  ///   - objects: the stored array `$objects`; every UID of the document is below its count.
  ///   - interpreter: who reads dictionaries with a class.
  package func resolve(
    document: UInt32, objects: UInt32, facts: ArchiveFacts, interpreter: ObjectInterpreter
  ) {
    let (start, count) = views[Int(document)].table.counted(objects)
    views[Int(document)].objects = start
    views[Int(document)].objectCount = count
    views[Int(document)].marksNull = true
    setInterpreter(interpreter, of: document)
    documents[Int(document)].archive = facts
    archivedBytes &+= views[Int(document)].table.byteCount
    followAll(in: views + Int(document))
  }

  private func setInterpreter(_ interpreter: ObjectInterpreter, of document: UInt32) {
    interpreters[Int(document)] = interpreter
    views[Int(document)].interpreter = .passUnretained(interpreter)
  }

  /// Runs a closure, for one thread at a time if several read: interpreters remember what they found.
  @inline(__always)
  private func locked<Result>(_ body: () -> Result) -> Result {
    guard let readingLock else { return body() }
    return readingLock.locked(body)
  }

  /// Whether the references of an archive are followed once for all.
  static func followsAll(in table: ValueTable) -> Bool { table.count <= mostTargets }

  /// Follows the references of an archive once: NSKeyedArchiver stores a UID anew for each of them.
  private func followAll(in view: UnsafeMutablePointer<View>) {
    let table = view.pointee.table
    guard let objects = view.pointee.objects, view.pointee.targets == nil,
      Self.followsAll(in: table)
    else { return }
    let targets = UnsafeMutablePointer<UInt32>.allocateTable(capacity: table.count)
    table.followAll(through: objects, view.pointee.objectCount, into: targets)
    view.pointee.targets = targets
  }

  /// Gives what the objects of a keyed archive are, as its interpreter has found out.
  ///
  /// - Parameter isStoredOnly: whether no object is shown as a container that is not stored.
  package func setResolved(_ table: ResolvedTable, of document: UInt32, isStoredOnly: Bool) {
    documents[Int(document)].hasOnlyStoredContainers = isStoredOnly
    resolvedTables.append(table)
    views[Int(document)].resolved = table.view
    views[Int(document)].markers = table.markers.map { UnsafePointer($0) }
  }

  var nextDocument: UInt32 { UInt32(documents.count) }

  /// Adds a document whose dictionaries are read by an interpreter, without being an archive of its own.
  func addDerived(_ document: Document, interpreter: ObjectInterpreter, near node: Node) {
    let number = add(document, parent: documents[Int(node.document)].parent)
    views[Int(number)].objects = document.table.base
    setInterpreter(interpreter, of: number)
  }

  /// Completes the header of a keyed archive.
  package func setArchive(_ facts: ArchiveFacts, of document: UInt32) {
    documents[Int(document)].archive = facts
  }

  /// The nodes of `$objects` of a keyed archive, `$null` first; empty outside keyed archives.
  package func objects(of document: UInt32) -> LazyMapSequence<Range<Int>, Node> {
    let view = views[Int(document)]
    return (0..<view.objectCount).lazy.map { number in
      let index = view.objects.map { view.table.reference($0, number) } ?? 0
      return Node(document: document, index: index)
    }
  }

  /// The start and number of the references of `$objects`; nil outside keyed archives.
  package func objectTable(of document: UInt32) -> (start: UnsafeRawPointer?, count: Int) {
    let view = views[Int(document)]
    return documents[Int(document)].archive == nil ? (nil, 0) : (view.objects, view.objectCount)
  }

  /// The root of a document: for an archive with one top-level key its object, else the stored top.
  package func root(of document: UInt32) -> Node { roots[Int(document)] }

  /// Sets the root of a document.
  package func setRoot(_ node: Node, of document: UInt32) { roots[Int(document)] = node }

  /// The root of the input.
  package var root: Node { roots[0] }

  /// The document that a node is stored in.
  public func document(of node: Node) -> Document { documents[Int(node.document)] }

  /// How many documents hold this one: 0 for the input itself.
  package func nesting(of document: UInt32) -> Int {
    var depth = 0
    var current = documents[Int(document)].parent
    while let holder = current {
      depth += 1
      current = documents[Int(holder.document)].parent
    }
    return depth
  }

  /// The number of a class, adding it if it is new.
  package func classIndex(_ description: ClassDescription) -> ClassIndex {
    // Few classes are quicker compared than hashed.
    if classes.count > Self.fewClasses {
      for number in classNumbers.count..<classes.count { classNumbers[classes[number]] = number }
      if let known = classNumbers[description] { return known }
    } else if let known = classes.firstIndex(of: description) {
      return known
    }
    classes.append(description)
    return classes.count - 1
  }

  // MARK: Nodes

  /// The node that a reference leads to, through `$objects` if it is a UID of a keyed archive.
  @inlinable @inline(__always)
  public func follow(_ index: UInt32, in document: UInt32) -> Node {
    let view = views + Int(document)
    if let targets = view.pointee.targets {
      return Node(document: document, index: targets[Int(index)])
    }
    guard view.pointee.objects != nil else { return Node(document: document, index: index) }
    return Node(document: document, index: target(of: index, view))
  }

  /// Where a stored value leads, if the document's references were followed before; nil otherwise.
  @inlinable @inline(__always)
  public func followed(_ index: UInt32, in document: UInt32) -> UInt32? {
    views[Int(document)].targets.map { $0[Int(index)] }
  }

  /// Where a stored value leads in a document whose references were not followed before.
  @usableFromInline
  func target(of index: UInt32, _ view: UnsafeMutablePointer<View>) -> UInt32 {
    guard let objects = view.pointee.objects else { return index }
    let pointer = view.pointee.table.pointer(of: index)
    guard pointer.load(as: UInt8.self) >> 4 == Marker.uid else { return index }
    return view.pointee.table.reference(objects, ValueTable.number(ofPaddedUID: pointer))
  }

  /// The node at a position of a container.
  @inlinable @inline(__always)
  public func node(_ elements: Elements, _ position: Int) -> Node {
    if elements.width == 0 {
      return elements.start.load(
        fromByteOffset: position &* MemoryLayout<Node>.stride, as: Node.self)
    }
    let reference = bigEndian(padded: elements.start + position &* elements.width, elements.width)
    return follow(UInt32(truncatingIfNeeded: reference), in: elements.document)
  }

  /// Whether the node at a position is stored in the container itself, not behind a UID.
  package func isInline(_ elements: Elements, _ position: Int) -> Bool {
    guard elements.width > 0 else { return false }
    let table = views[Int(elements.document)].table
    return table.marker(of: table.reference(elements.start, position)) >> 4 != Marker.uid
  }

  /// The key at an index of a dictionary or of an object's fields.
  @inlinable @inline(__always)
  public func key(_ pairs: Pairs, _ index: Int) -> Node { node(pairs.keys, pairs.position(index)) }

  /// The value at an index of a dictionary or of an object's fields.
  @inlinable @inline(__always)
  public func value(_ pairs: Pairs, _ index: Int) -> Node {
    node(pairs.values, pairs.position(index))
  }

  /// The value of a node.
  public func value(of node: Node) -> Value {
    let view = views + Int(node.document)
    let pointer = view.pointee.table.pointer(of: node.index)
    let marker = pointer.load(as: UInt8.self)
    if marker == 0x55, view.pointee.marksNull, Self.isNullMark(pointer) { return .null }
    guard marker >> 4 == Marker.dictionary, let interpreter = view.pointee.interpreter else {
      return Self.storedValue(pointer, node, view)
    }
    if let entry = view.pointee.resolved?.entry(of: node.index) {
      if let value = Self.value(entry, node, view) { return value }
    }
    return locked {
      interpreter._withUnsafeGuaranteedRef {
        $0.value(of: node.index, document: node.document, in: self)
      }
    }
  }

  /// Whether the value of a node is null.
  @inlinable @inline(__always)
  public func isNull(_ node: Node) -> Bool {
    let view = views + Int(node.document)
    let pointer = view.pointee.table.pointer(of: node.index)
    switch pointer.load(as: UInt8.self) {
    case 0x00: return true
    case 0x55: return view.pointee.marksNull && Self.isNullMark(pointer)
    case 0xD0...0xDF:
      if case .null = value(of: node) { return true }
      return false
    default: return false
    }
  }

  /// The value of an object that is resolved; nil if the interpreter is to be asked.
  @inline(__always)
  private static func value(
    _ entry: UnsafePointer<ResolvedTable.Entry>, _ node: Node, _ view: UnsafeMutablePointer<View>
  ) -> Value? {
    let table = view.pointee.table
    let width = table.referenceWidth
    let first = Elements(
      start: table.base + Int(entry.pointee.first), count: Int(entry.pointee.count), width: width,
      document: node.document)
    switch entry.pointee.kind {
    case .unknown: return nil
    case .array: return .array(first)
    case .set: return .set(first)
    case .orderedSet: return .orderedSet(first)
    case .dictionary, .object:
      let second = Elements(
        start: table.base + Int(entry.pointee.second), count: first.count, width: width,
        document: node.document)
      guard entry.pointee.kind == .object else {
        return .dictionary(Pairs(keys: first, values: second))
      }
      return .object(
        entry.pointee.classIndex,
        Pairs(keys: first, values: second, of: entry.pointee.owner))
    }
  }

  /// Declares that the string "$null" is nil in a document.
  ///
  /// PropertyListEncoder writes it for nil elements of lists, and PropertyListDecoder reads it as nil everywhere.
  package func readNullMarks(in document: UInt32) { views[Int(document)].marksNull = true }

  /// Whether a node is a string "$null" that represents nil.
  ///
  /// In a keyed archive that is `$null` itself, or a conditional object that nobody encoded.
  package func isNullMark(_ node: Node) -> Bool {
    guard views[Int(node.document)].marksNull else { return false }
    let pointer = storedPointer(of: node)
    return pointer.load(as: UInt8.self) == 0x55 && Self.isNullMark(pointer)
  }

  /// Whether a stored string of five bytes is "$null".
  @inlinable @inline(__always)
  static func isNullMark(_ pointer: UnsafeRawPointer) -> Bool {
    pointer.load(fromByteOffset: 1, as: UInt8.self) == 0x24
      && pointer.loadUnaligned(fromByteOffset: 2, as: UInt32.self) == UInt32(bigEndian: 0x6E75_6C6C)
  }

  /// The value of a node in its encoding, before any archive's conventions.
  package func storedValue(of node: Node) -> Value {
    let view = views + Int(node.document)
    let pointer = view.pointee.table.pointer(of: node.index)
    return Self.storedValue(pointer, node, view)
  }

  /// The value that is stored at a place, which is that of the node.
  @inline(__always)
  private static func storedValue(
    _ pointer: UnsafeRawPointer, _ node: Node, _ view: UnsafeMutablePointer<View>
  ) -> Value {
    let kind = pointer.load(as: UInt8.self) >> 4
    guard kind >= Marker.array else { return ValueTable.scalar(at: pointer) }
    let (start, count) = ValueTable.counted(at: pointer)
    let width = view.pointee.table.referenceWidth
    let first = Elements(start: start, count: count, width: width, document: node.document)
    switch kind {
    case Marker.array: return .array(first)
    case Marker.orderedSet: return .orderedSet(first)
    case Marker.set: return .set(first)
    case Marker.dictionary:
      let second = Elements(
        start: start + count &* width, count: count, width: width, document: node.document)
      return .dictionary(Pairs(keys: first, values: second))
    default: return .null
    }
  }

  /// Where a value is stored: its marker byte.
  @inlinable @inline(__always)
  public func storedPointer(of node: Node) -> UnsafeRawPointer {
    let view = views + Int(node.document)
    return view.pointee.table.pointer(of: node.index)
  }

  /// The stored pairs of a dictionary, or of what is stored as one.
  @inlinable @inline(__always)
  public func storedPairs(of node: Node, as owner: Pairs.Owner = .dictionary) -> Pairs {
    let table = views[Int(node.document)].table
    let (start, count) = table.counted(node.index)
    let width = table.referenceWidth
    return Pairs(
      keys: Elements(start: start, count: count, width: width, document: node.document),
      values: Elements(
        start: start + count &* width, count: count, width: width, document: node.document),
      of: owner)
  }

  /// The stored string of a node, nil for other values.
  @inlinable @inline(__always)
  public func text(of node: Node) -> Text? {
    views[Int(node.document)].table.text(at: node.index)
  }

  /// The text of a dictionary's key, nil if the key is not a string.
  @inlinable
  public func keyText(of node: Node) -> Text? {
    if let text = text(of: node) { return text }
    if case .string(let text) = value(of: node) { return text }
    return nil
  }

  /// The name of a member: a dictionary's key as it is, an object's without the archiver's mangling.
  ///
  /// - Returns: nil if the key is not a string.
  @inlinable
  public func memberName(_ pairs: Pairs, _ index: Int) -> Text? {
    guard let text = keyText(of: key(pairs, index)) else { return nil }
    return pairs.isFields ? text.unmangledKey : text
  }

  /// The position of a member among those of a container; nil if it has no such member.
  package func position(of name: String, in pairs: Pairs) -> Int? {
    (0..<pairs.count).first { memberName(pairs, $0)?.sameCharacters(as: name) == true }
  }

  package func member(_ name: String, of pairs: Pairs) -> Node? {
    position(of: name, in: pairs).map { value(pairs, $0) }
  }

  /// The class of a node, even if its value is plain; nil without a class.
  package func classDescription(of node: Node) -> ClassDescription? {
    classIndex(of: node).map { classes[$0] }
  }

  /// The number of that class.
  package func classIndex(of node: Node) -> ClassIndex? {
    let view = views + Int(node.document)
    guard let interpreter = view.pointee.interpreter else { return nil }
    if let entry = view.pointee.resolved?.entry(of: node.index), entry.pointee.kind != .unknown {
      return entry.pointee.classIndex
    }
    return locked {
      interpreter._withUnsafeGuaranteedRef {
        $0.classIndex(of: node.index, document: node.document, in: self)
      }
    }
  }

  /// A summary of a node in one line, if its class has more to show than its value; nil otherwise.
  package func summary(of node: Node) -> String? {
    locked {
      interpreters[Int(node.document)]?.summary(of: node.index, document: node.document, in: self)
    }
  }

  /// The original of a changed value; nil for a value as it was read.
  package func origin(of node: Node) -> Origin? {
    locked { interpreters[Int(node.document)]?.origin(of: node.index) }
  }

  /// The class and the stored fields of a node with a class, even if it has a plain value; nil without a class.
  package func objectFields(of node: Node) -> (class: ClassIndex, fields: Pairs)? {
    if let entry = views[Int(node.document)].resolved?.entry(of: node.index),
      entry.pointee.kind != .unknown
    {
      return (entry.pointee.classIndex, storedPairs(of: node, as: entry.pointee.owner))
    }
    guard let index = classIndex(of: node) else { return nil }
    let pairs = storedPairs(of: node)
    for position in 0..<pairs.count
    where text(of: self.node(pairs.keys, position))?.equals("$class") == true {
      return (
        index,
        Pairs(keys: pairs.keys, values: pairs.values, of: .object(classPosition: position))
      )
    }
    return nil
  }
}

// MARK: - Derived values, archives in data, and the bounds of both

extension ObjectGraph {
  // MARK: Derived values

  /// A value that is computed from a node once and cached; null if the graph's budget is spent.
  package func derivedValue(of node: Node, _ compute: (SyntheticArena) -> Value) -> Value {
    if let known = derived.known[node] { return known }
    guard canDerive else {
      reportExhaustion()
      return .null
    }
    let value = compute(derived)
    derived.known[node] = value
    return value
  }

  /// Subtracts bytes that were copied or read for a derived value from the graph's budget.
  package func spend(_ bytes: Int) { derived.spend(bytes) }

  /// Whether more values may be derived: many objects that share one long string could each make its own of it.
  package var canDerive: Bool { derived.spent < derivedLimit }

  private var derivedLimit: Int { limits.derivedBytes ?? max(1 << 26, archivedBytes &* 64) }

  /// Warns once that some objects show their fields because the budget is spent.
  private func reportExhaustion() {
    guard !derived.isExhausted else { return }
    derived.isExhausted = true
    losses.append(
      ArchiveError(
        .limit,
        "values derived from shared fields exceed \(derivedLimit) bytes; the rest show their fields"
      ))
  }

  // MARK: Expansion

  /// How many nodes a walk that visits shared values again and again may visit.
  ///
  /// Small files in which sharing multiplies stop soon; files of any size may be walked 64 times over.
  package var expansionLimit: Int {
    limits.expansion(of: documents.reduce(0) { $0 + $1.table.count })
  }

  /// How many bytes the values may take when they are written out.
  package var outputLimit: Int {
    limits.output(of: max(documents[0].table.byteCount, inflated?.bytes.count ?? 0))
  }

  // MARK: Nested archives

  /// The root of the archive or property list in a data value, or nil.
  package func content(of node: Node) -> Node? {
    guard let nestedReader else { return nil }
    if let known = contents[node] { return known }
    guard case .data(let bytes) = value(of: node), bytes.count > 1,
      nesting(of: node.document) < limits.nesting
    else { return nil }
    do {
      let root = try nestedReader.open(bytes, heldBy: node, in: self)
      contents[node] = root
      return root
    } catch {
      contents[node] = .some(nil)
      contentErrors[node] = error
      return nil
    }
  }

  /// Why a data value that begins as an archive cannot be opened as one; nil for other values.
  package func contentError(of node: Node) -> ArchiveError? {
    content(of: node) == nil ? contentErrors[node] : nil
  }

  /// Whether some data value began as an archive and could not be opened as one.
  package var hasContentErrors: Bool { !contentErrors.isEmpty }
}

// MARK: - How people see where a value is: its number in `$objects`, and its place in the file

extension ObjectGraph {
  // MARK: Labels

  /// The number of a node as people see it: `#5`, its index in `$objects`, or in the stored table outside
  /// of them; `#2:5` in the third document.
  package func label(of node: Node) -> String {
    let number = objectNumber(of: node).map { Int($0) } ?? Int(node.index)
    return node.document == 0 ? "#\(number)" : "#\(node.document):\(number)"
  }

  /// A node's index in `$objects`, nil if it is not in it.
  package func objectNumber(of node: Node) -> UInt32? {
    locked { findObjectNumber(of: node) }
  }

  private func findObjectNumber(of node: Node) -> UInt32? {
    let view = views[Int(node.document)]
    guard let objects = view.objects else { return nil }
    if objectNumbers[node.document] == nil {
      var numbers = [UInt32](repeating: .max, count: view.table.count)
      for number in 0..<view.objectCount {
        numbers[Int(view.table.reference(objects, number))] = UInt32(number)
      }
      objectNumbers[node.document] = numbers
    }
    guard let number = objectNumbers[node.document]?[Int(node.index)], number != .max else {
      return nil
    }
    return number
  }

  // MARK: Locations

  /// An error about a value that cannot be written, or another fault of it.
  package func unrepresentable(
    _ message: String, _ node: Node, _ code: ArchiveError.Code = .unrepresentable
  ) -> ArchiveError {
    ArchiveError(code, message, offset: fileOffset(of: node))
  }

  /// The offset of a node's bytes in the input file, if they are stored there in this form.
  package func fileOffset(of node: Node) -> Int? {
    documents[Int(node.document)].fileOffset(of: node.index)
  }
}

// MARK: - From a path to the node at its end

extension ObjectGraph {
  /// The node that a path leads to.
  ///
  /// A `⟨kind⟩` enters the archive in a data value; where it is left out, a step into a data value enters it
  /// as well.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - start: where it begins.
  /// - Throws: `ArchiveError` with code `missingValue` at the first step that leads nowhere, its path being the
  ///   part that was found.
  package func node(at path: GraphPath, from start: Node) throws(ArchiveError) -> Node {
    var current = start
    for (position, step) in path.steps.enumerated() {
      guard let next = self.step(step, from: current) else {
        let found = GraphPath(Array(path.steps[..<position]))
        throw ArchiveError(
          .missingValue, "\(reason(step, current)) here", offset: fileOffset(of: current),
          path: found)
      }
      current = next
    }
    return current
  }

  /// The position in the input file of the innermost value on a path that has one, for messages about the path.
  ///
  /// - Parameter path: the path from the root; what follows the first step without a target is left out.
  package func fileOffset(near path: GraphPath) -> Int? {
    var current = root
    var offset = fileOffset(of: current)
    for step in path.steps {
      guard let next = self.step(step, from: current) else { break }
      current = next
      offset = fileOffset(of: current) ?? offset
    }
    return offset
  }

  private func step(_ step: GraphPath.Step, from node: Node) -> Node? {
    var node = node
    if case .content = step { return content(of: node) }
    while case .data = value(of: node), let content = content(of: node) { node = content }
    switch (step, value(of: node)) {
    case (.index(let index), .array(let elements)), (.index(let index), .set(let elements)),
      (.index(let index), .orderedSet(let elements)):
      return index < elements.count ? self.node(elements, index) : nil
    case (.key(let key), .dictionary(let pairs)), (.key(let key), .object(_, let pairs)):
      return member(key, of: pairs) ?? storedField(key, of: node)
    default: return nil
    }
  }

  /// The stored fields of an object that is shown by members made of them; nil for other values.
  package func hiddenFields(of node: Node) -> Pairs? {
    guard case .object(_, let pairs) = value(of: node), pairs.keys.width == 0 else { return nil }
    return objectFields(of: node)?.fields
  }

  /// The field with a stored name of an object that is shown by members made of its fields.
  package func storedField(_ key: String, of node: Node) -> Node? {
    hiddenFields(of: node).flatMap { member(key, of: $0) }
  }

  private func reason(_ step: GraphPath.Step, _ node: Node) -> String {
    switch step {
    case .index(let index): return "no element \(index)"
    case .content: return "no data value with an archive"
    case .key(let key): return "no key \(GraphPath.quoted(key))"
    case .anyMember: return "no single member"
    case .anyElement: return "no single element"
    }
  }
}

// MARK: - The path of a stored value, for error messages: from the top through stored containers

/// Searches a table for the location of one of its values.
public enum StoredPath {
  /// The path of a stored value from the top; nil if it is not reachable.
  ///
  /// For tables without faults.
  package static func find(_ target: UInt32, from top: UInt32, in table: ValueTable) -> GraphPath? {
    if top == target { return GraphPath() }
    var visited = [Bool](repeating: false, count: table.count)
    var walk = GraphWalk<TableContainer>(in: table)
    enter(top, &visited, &walk)
    while let event = walk.next() {
      guard case .child(let child, _, _) = event else { continue }
      if child == target { return walk.path }
      enter(child, &visited, &walk)
    }
    return nil
  }

  private static func enter(
    _ index: UInt32, _ visited: inout [Bool], _ walk: inout GraphWalk<TableContainer>
  ) {
    guard !visited[Int(index)], walk.context.fault(at: index) == nil else { return }
    visited[Int(index)] = true
    if let container = TableContainer(index, in: walk.context) { walk.enter(container) }
  }
}
