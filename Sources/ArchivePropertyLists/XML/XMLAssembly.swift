// The values of the elements of an XML property list: the state between libxml2's callbacks.

import ArchiveBasics
import ArchiveGraph
internal import CLibXML2

/// Turns element events into values.
///
/// The first problem stops the parser. A structure, reached by its address: the callbacks are called for every element, and count no
/// references.
struct XMLAssembly: ~Copyable {
  struct Frame {
    let element: XMLElement
    /// In a dictionary keys and values take turns.
    var wantsKey: Bool
  }

  let library: LibXML2
  let parser: xmlParserCtxtPtr
  private let fileOffset: Int?
  private let limits: Limits
  /// Whether a wrong element is marked as lost, and its problem is a warning.
  let isRecovering: Bool
  /// Whether equal values keep their own positions; keys are compared by content.
  private let keepsPositions: Bool
  /// The stand-ins for characters that XML forbids; nil without them.
  private let standIns: XMLStandIns?
  var builder: GraphBuilder
  var text = ByteBuffer()
  private var decoded = ByteBuffer()
  /// The elements that are open, the innermost last.
  var stack = RawStack<Frame>()
  var top: UInt32?
  var isFinished = false
  var error: ArchiveError? { didSet { hasFailed = error != nil } }
  /// Whether there is an error: it is asked for each element, and the error has many parts.
  private var hasFailed = false
  var warnings: [ArchiveError] = []
  var repeatedKeys = RepeatedKeys()
  /// How many elements are open that are skipped, the outermost of which is lost.
  var skipped = 0
  /// How many elements are marked as lost in the place of a pair.
  var lostPairs = 0
  /// The elements with IDs, and those that refer to them; nil without them.
  var identifiers: XMLIdentifiers?
  private let names: XMLElementNames

  init(
    library: LibXML2, parser: xmlParserCtxtPtr, fileOffset: Int?, limits: Limits,
    keepsPositions: Bool, isRecovering: Bool, standIns: XMLStandIns? = nil, byteCount: Int
  ) {
    self.isRecovering = isRecovering
    // Memory that is not needed is not touched; large buffers would be moved when they grow.
    builder = GraphBuilder(capacity: byteCount / 2)
    self.keepsPositions = keepsPositions
    self.standIns = standIns
    self.library = library
    self.parser = parser
    self.fileOffset = fileOffset
    self.limits = limits
    names = XMLElementNames(library, parser)
  }

  // MARK: Elements

  mutating func start(
    _ name: UnsafePointer<xmlChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
    _ attributeCount: Int
  ) {
    guard !hasFailed, let name else { return }
    if skipped > 0 {
      skipped += 1
      return
    }
    if isFinished {
      return failAtTag("a property list has one root, but another element follows it")
    }
    guard let element = names.element(name) else {
      return failAtTag("'\(String(cString: name))' is not an element of a property list")
    }
    if let parent = stack.last {
      guard accepts(element, in: parent.pointee) else { return }
    } else if element == .key {
      return failAtTag("'key' is allowed only inside 'dict'")
    }
    guard stack.count < limits.depth else {
      error = ArchiveError(
        .limit, "elements are nested more than \(limits.depth) levels deep", offset: position)
      return library.stopParser(parser)
    }
    // Most tags have nothing but the name.
    if let position {
      builder.sourceOffset = position - bytesOfTag(length: element.name.utf8CodeUnitCount)
    }
    stack.push(Frame(element: element, wantsKey: element == .dict))
    if element == .key { repeatedKeys.add(builder.sourceOffset) }
    if attributeCount > 0 { identify(attributes, attributeCount) }
    if element == .dict || element == .array {
      builder.open()
      // Only what has a container has no need of its index at once.
      builder.isDeferring = !keepsPositions && identifiers == nil
    }
    text.truncate(to: 0)
  }

  @inline(__always)
  private mutating func accepts(_ element: XMLElement, in parent: Frame) -> Bool {
    if parent.element == .dict, element != .plist, (element == .key) == parent.wantsKey {
      return true
    }
    if parent.element == .array, element != .plist, element != .key { return true }
    return acceptsRarely(element, in: parent)
  }

  @inline(never)
  private mutating func acceptsRarely(_ element: XMLElement, in frame: Frame) -> Bool {
    let parent = frame.element
    guard parent.holdsValues, element != .plist else {
      failAtTag("'\(element.name)' is not allowed inside '\(parent.name)'")
      return false
    }
    if parent == .plist, top != nil {
      failAtTag("a property list has one root, found a second")
      return false
    }
    let wantsKey = parent == .dict && frame.wantsKey
    if element == .key, !wantsKey {
      guard parent == .dict else {
        failAtTag("'key' is allowed only inside 'dict'")
        return false
      }
      failAtTag("a value must follow the key, found another key", skipping: false)
      // In recovery what was lost is the value of the key before this one.
      return !hasFailed
    }
    if element != .key, wantsKey {
      failAtTag("expected a key before the value, found '\(element.name)'")
      return false
    }
    return true
  }

  mutating func characters(_ bytes: UnsafePointer<xmlChar>?, _ count: Int) {
    guard !hasFailed, skipped == 0, let frame = stack.last else { return }
    let run = ByteView(start: bytes, count: count)
    let element = frame.pointee.element
    if element.holdsValues || element.isEmpty {
      if run.contains(where: { $0 > 0x20 }) {
        let problem = "text is not allowed inside '\(element.name)'"
        if isRecovering { note(problem, at: position) } else { fail(problem) }
      }
    } else {
      text.append(run)
    }
  }

  mutating func end() {
    guard !hasFailed else { return }
    if skipped > 0 {
      skipped -= 1
      return
    }
    guard !stack.isEmpty else { return }
    let element = stack.pop().element
    if identifiers != nil, endIdentified(element) { return }
    builder.isUniquing = !keepsPositions || element == .key
    switch element {
    case .plist:
      if top == nil { return fail("the property list is empty") }
    case .dict: closeDictionary()
    case .array: add(builder.close())
    case .key, .string:
      if let standIns, !text.bytes.isEmpty {
        var restored = ByteBuffer(capacity: text.count)
        standIns.restore(text.bytes, into: &restored)
        text = restored
      }
      add(
        text.bytes.baseAddress.map {
          builder.add(Text(base: $0, byteCount: text.count, form: .utf8))
        } ?? builder.add(""))
    case .yes: add(builder.add(true))
    case .no: add(builder.add(false))
    case .data:
      decoded.truncate(to: 0)
      Base64.decode(text.bytes, to: &decoded)
      add(builder.add(data: decoded.bytes))
    case .integer:
      switch XMLInteger(text.bytes) {
      case .signed(let number): add(builder.add(number))
      case .unsigned(let number): add(builder.add(unsigned: number))
      case nil: failAtValue("'\(excerpt)' is not an integer of at most 64 bits")
      }
    case .real:
      guard let number = xmlReal(text.bytes) else {
        return failAtValue("'\(excerpt)' is not a real")
      }
      add(builder.add(number))
    case .date:
      guard let seconds = xmlDate(text.bytes) else {
        return failAtValue("'\(excerpt)' is not a date of the form 2001-01-01T00:00:00Z")
      }
      add(builder.add(date: seconds))
    }
    if stack.isEmpty { isFinished = true }
  }

  mutating func add(_ index: UInt32) {
    identifiers?.keep(index, of: stack.count)
    guard let parent = stack.last, parent.pointee.element != .plist else {
      top = builder.settled(index)
      return
    }
    parent.pointee.wantsKey.toggle()
    builder.append(index)
  }

  private var excerpt: String { String(decoding: text.bytes, as: UTF8.self).shortened(to: 40) }

  // MARK: Dictionaries

  private mutating func closeDictionary() {
    if builder.openCount % 2 != 0 {
      let problem = "the last key of the dictionary has no value"
      guard isRecovering else { return fail(problem) }
      note(problem, at: position)
      builder.append(builder.add(lost: problem))
    }
    builder.settle()
    // The last value of a repeated key wins, as CoreFoundation reads XML.
    repeatedKeys.end(&builder)
    // A dictionary with the single key `CF$UID` and an integer represents a UID (CFPropertyList.c).
    if builder.openCount == 2, builder.isString("CF$UID", at: builder.openValues[0]),
      let number = builder.integer(at: builder.openValues[1])
    {
      if number >= 0 {
        builder.discardOpen()
        return add(builder.add(uid: UInt64(number)))
      }
      warn(
        ArchiveError(.malformed, "a UID cannot be negative, found \(number)", offset: position))
    }
    add(builder.closeDictionary())
  }

  // MARK: Problems

  /// The current byte of the parser; nil if the text was converted to UTF-8 first.
  var position: Int? {
    mutating get {
      guard let fileOffset, let input = parser.pointee.input else { return nil }
      if let buffer = input.pointee.buf, buffer.pointee.encoder != nil { return nil }
      let position =
        Int(input.pointee.consumed) + (input.pointee.base.map { input.pointee.cur - $0 } ?? 0)
      return fileOffset + (standIns?.sourcePosition(of: position) ?? position)
    }
  }

  /// The same for a tag that has at least some bytes.
  mutating func bytesOfTag(length: Int) -> Int {
    guard let input = parser.pointee.input, let base = input.pointee.base,
      let current = input.pointee.cur
    else { return 0 }
    var count = current - base > length ? length : 0
    while current - count > base, current[-count] != UInt8(ascii: "<") { count += 1 }
    return count
  }

  /// A file of a thousand oddities is not worth a thousand lines.
  mutating func warn(_ warning: ArchiveError) {
    if warnings.count < 100 { warnings.append(warning) }
  }

  /// Refuses a declaration of attributes: their defaults would be made for every element.
  mutating func refuseAttributes(_ words: xmlEnumerationPtr?) {
    library.freeEnumeration?(words)
    fail("attribute declarations are refused")
  }

  mutating func fail(_ message: String) { fail(message, at: position) }

  /// Reports the element whose start tag the parser has just read.
  ///
  /// - Parameter skipping: whether the element is lost; else what should be before it.
  @inline(never)
  private mutating func failAtTag(_ message: String, skipping: Bool = true) {
    let offset = position.map { $0 - bytesOfTag(length: 0) }
    guard isRecovering, !stack.isEmpty else { return fail(message, at: offset) }
    if skipping { skipped = 1 }
    markLost(message, at: offset)
  }

  /// Reports the value whose end tag the parser has just read.
  @inline(never)
  private mutating func failAtValue(_ message: String) {
    let offset = position == nil ? nil : builder.sourceOffset
    if isRecovering { markLost(message, at: offset) } else { fail(message, at: offset) }
  }

  private mutating func fail(_ message: String, at offset: Int?) {
    guard error == nil else { return }
    error = ArchiveError(.malformed, message, offset: offset)
    library.stopParser(parser)
  }

  /// What libxml2 found wrong.
  ///
  /// After the root's end only a warning comes of it, as CoreFoundation reads no further.
  mutating func parserError(_ problem: xmlError) {
    guard error == nil, problem.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
    var message = problem.message.map { String(cString: $0) } ?? "the XML is not well formed"
    while let last = message.last, last.isNewline || last == " " { message.removeLast() }
    // A prefix without a namespace does no harm: attributes are not read.
    if problem.domain == XML_FROM_NAMESPACE.rawValue { return }
    // Its messages may have lines of their own.
    message = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    if isFinished {
      warn(ArchiveError(.malformed, "after the property list: \(message)", offset: position))
    } else {
      error = ArchiveError(.malformed, message, offset: position)
    }
    library.stopParser(parser)
  }

  mutating func finish() throws(ArchiveError) -> FormatReading {
    if let error { throw error }
    guard let top, isFinished else {
      throw ArchiveError(.truncated, "the XML ends before the property list does", offset: position)
    }
    if let standIns {
      warnings += standIns.losses.map { $0.shifted(by: fileOffset) }
      if let warning = standIns.warning(fileOffset: fileOffset) {
        warnings.insert(warning, at: 0)
      }
    }
    var finished = GraphBuilder(capacity: 16)
    swap(&finished, &builder)
    return FormatReading(
      finished.finish(top: top, encoding: .xmlPropertyList),
      warnings: warnings + repeatedKeys.warnings)
  }
}

// MARK: - Damaged XML

extension XMLAssembly {
  /// Marks what is missing in the container that is open, and goes on.
  private mutating func markLost(_ message: String, at offset: Int?) {
    note(message, at: offset)
    builder.settle()
    guard let parent = stack.last, parent.pointee.element != .plist else { return }
    if parent.pointee.element == .dict, parent.pointee.wantsKey {
      lostPairs += 1
      builder.append(builder.add(lostPairs == 1 ? "$lost" : "$lost \(lostPairs)"))
      builder.append(builder.add(message))
      repeatedKeys.add(offset)
    } else {
      add(builder.add(lost: message))
    }
  }

  /// Takes note of what is missing.
  mutating func note(_ message: String, at offset: Int?) {
    warn(ArchiveError(.malformed, message, offset: offset))
  }

  /// After a fault: closes open containers, and marks in the innermost one that something is missing.
  mutating func salvage() {
    guard error != nil || top == nil || !isFinished else { return }
    var containers = (0..<stack.count).map { stack[$0].pointee.element }
      .filter { $0 == .dict || $0 == .array }
    guard !containers.isEmpty || top != nil else { return }
    let problem =
      error
      ?? ArchiveError(.truncated, "the XML ends before the property list does", offset: position)
    var isInnermost = true
    builder.settle()
    builder.isDeferring = false
    while let container = containers.popLast() {
      if container == .dict {
        var isMarked = !isInnermost
        if builder.openCount % 2 != 0 {
          let part = part()
          isMarked = isMarked || part == nil
          builder.append(part ?? builder.add(lost: problem.message))
        }
        if !isMarked {
          builder.append(builder.add("$lost"))
          builder.append(builder.add(problem.message))
        }
        add(builder.closeDictionary(), isLast: containers.isEmpty)
      } else {
        if isInnermost {
          if let part = part() { builder.append(part) }
          builder.append(builder.add(lost: problem.message))
        }
        add(builder.close(), isLast: containers.isEmpty)
      }
      isInnermost = false
    }
    isFinished = true
    error = nil
    warnings.append(problem)
  }

  /// What is there of the string or data in which the XML ends.
  private mutating func part() -> UInt32? {
    guard let frame = stack.last, text.count > 0 else { return nil }
    switch frame.pointee.element {
    case .string:
      guard let found = PartialText.utf8(text.bytes) else { return nil }
      return builder.add("\(found)… ⟨the rest is lost⟩")
    case .data:
      var decoded = ByteBuffer()
      Base64.decode(text.bytes, to: &decoded)
      return builder.add(data: decoded.bytes)
    default: return nil
    }
  }

  private mutating func add(_ index: UInt32, isLast: Bool) {
    if isLast { top = index } else { builder.append(index) }
  }
}

// MARK: - `ID` and `IDREF`, with which IOKit writes a value once (xnu, OSUnserializeXML.y)

/// The elements of a text with the attributes `ID` or `IDREF`.
struct XMLIdentifiers {
  private struct Element {
    /// How many elements are around it.
    let depth: Int
    let identifier: String?
    let target: UInt32?
  }

  private var open: [Element] = []
  private var values: [String: UInt32] = [:]
  private(set) var hasReferences = false

  /// Adds an element.
  ///
  /// - Returns: whether the element that it refers to is known.
  mutating func add(identifier: String?, reference: String?, depth: Int) -> Bool {
    let target = reference.flatMap { values[$0] }
    open.append(Element(depth: depth, identifier: identifier, target: target))
    hasReferences = hasReferences || target != nil
    return reference == nil || target != nil
  }

  /// The value that an element refers to; nil if it has its own.
  func target(of depth: Int) -> UInt32? { open.last?.depth == depth ? open.last?.target : nil }

  mutating func keep(_ index: UInt32, of depth: Int) {
    guard let last = open.last, last.depth == depth else { return }
    open.removeLast()
    if let identifier = last.identifier { values[identifier] = index }
  }
}

extension XMLAssembly {
  /// Looks at the attributes of the element that begins.
  @inline(never)
  mutating func identify(
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int
  ) {
    var found: [String: String] = [:]
    for number in 0..<count {
      // The name, its prefix and namespace, and where the value begins and ends.
      guard let attribute = attributes.map({ $0 + number * 5 }), let name = attribute[0],
        let start = attribute[3], let end = attribute[4]
      else { continue }
      let bytes = ByteView(start: start, count: end - start)
      found[String(cString: name)] = String(decoding: bytes, as: UTF8.self)
    }
    let (identifier, reference) = (found["ID"], found["IDREF"])
    guard identifier != nil || reference != nil, stack.last?.pointee.element != .plist else {
      return
    }
    // Values that are referred to need an index of their own.
    builder.settle()
    builder.isDeferring = false
    var identifiers = self.identifiers ?? XMLIdentifiers()
    let isFirst = !identifiers.hasReferences
    let isKnown = identifiers.add(
      identifier: identifier, reference: reference, depth: stack.count - 1)
    self.identifiers = identifiers
    guard let reference else { return }
    let offset = position.map { $0 - bytesOfTag(length: 0) }
    if !isKnown {
      note("no element before this one has the ID '\(reference.prefix(40))'", at: offset)
    } else if isFirst {
      note(
        "IDREF stands for the element with that ID; Foundation reads the element itself",
        at: offset)
    }
  }

  /// Ends an element that stands for another.
  ///
  /// - Returns: false if it does not.
  mutating func endIdentified(_ element: XMLElement) -> Bool {
    guard let target = identifiers?.target(of: stack.count),
      element != .key || builder.string(at: target) != nil
    else { return false }
    if element == .dict || element == .array {
      builder.discardOpen()
    }
    add(target)
    return true
  }
}
