// Objects written one after another: those of the archive in its order, then new ones.

import ArchiveBasics
import ArchiveGraph

extension ArchiveAssembly {
  /// A container that is being copied.
  private struct Frame {
    let index: UInt32
    let children: [UInt32]
    var next = 0
  }

  /// Writes all objects that are needed.
  consuming func write(root: Part) throws(ArchiveError) -> Document {
    numbers = numbering()
    var objects = [try index(of: 0)]
    for object in order { objects.append(try index(of: object)) }
    let top = try top(root)
    let archive = try outermost(objects: builder.add(list: objects), top: top)
    return builder.finish(top: archive)
  }

  /// The new number of each object; `order` is the objects by their numbers.
  private mutating func numbering() -> [Int: Int] {
    let kept = reached.filter { origins[$0].map { $0 >> 32 == 0 } ?? false }
    let added = reached.subtracting(kept)
    order = kept.sorted { (origins[$0] ?? 0) < (origins[$1] ?? 0) } + added.sorted()
    var numbers = [0: 0]
    for (position, object) in order.enumerated() { numbers[object] = position + 1 }
    return numbers
  }

  // MARK: The top

  private mutating func top(_ root: Part) throws(ArchiveError) -> UInt32 {
    let rootIndex = try index(of: root)
    // The keys are the model's members.
    guard let newKey = request.newTopKey else { return rootIndex }
    var fields: [(UInt32, UInt32)] = []
    if isWholeArchive, request.topKey != nil, let facts = graph.documents[0].archive {
      let pairs = graph.storedPairs(of: Node(document: 0, index: facts.topDictionary))
      let modelPosition = topPosition(pairs, facts)
      for position in 0..<pairs.count {
        guard let key = graph.slot(pairs.keys, position),
          let value = graph.slot(pairs.values, position)
        else { continue }
        let isModel = position == modelPosition
        let isRenamed = isModel && newKey != request.topKey
        fields.append(
          (
            isRenamed ? builder.add(storedKey(newKey)) : try copy(0, key.reference),
            isModel ? rootIndex : try copy(0, value.reference)
          ))
      }
    } else {
      fields.append((builder.add(storedKey(newKey)), rootIndex))
    }
    return builder.add(pairs: fields)
  }

  /// The outermost dictionary: the archive's own with other objects, or a new one.
  private mutating func outermost(
    objects: UInt32, top: UInt32
  ) throws(ArchiveError) -> UInt32 {
    guard isWholeArchive else {
      return builder.add(pairs: [
        (builder.add("$version"), builder.add(Int64(100_000))),
        (builder.add("$archiver"), builder.add("NSKeyedArchiver")),
        (builder.add("$top"), top), (builder.add("$objects"), objects),
      ])
    }
    var members: [(UInt32, UInt32)] = []
    let document = graph.documents[0]
    var isKnown: Set<String> = []
    for (_, key, value) in document.table.members(of: document.top) {
      let name = document.table.text(at: key)?.string ?? ""
      // Of a key that is there twice the first counts.
      guard !["$objects", "$top"].contains(name) || isKnown.insert(name).inserted else {
        continue
      }
      let copied =
        name == "$objects" ? objects : name == "$top" ? top : try copy(0, value)
      members.append((try copy(0, key), copied))
    }
    return builder.add(pairs: members)
  }

  // MARK: Contents

  /// Contents whose parts are being written.
  private struct Written {
    let number: Int
    var indexes: [UInt32] = []
  }

  /// The contents of an object, or of a container stored in one, in the new table.
  private mutating func index(of number: Int) throws(ArchiveError) -> UInt32 {
    var stack = [Written(number: number)]
    while true {
      let top = stack.count - 1
      if let part = part(stack[top].indexes.count, of: stack[top].number) {
        guard case .inline(let inner) = part else {
          stack[top].indexes.append(try index(of: part))
          continue
        }
        guard stack.count < graph.limits.depth else {
          throw ArchiveError.tooDeep(graph.limits.depth)
        }
        stack.append(Written(number: inner))
        continue
      }
      let index = try close(stack.removeLast())
      guard top > 0 else { return index }
      stack[top - 1].indexes.append(index)
    }
  }

  /// A part of a list, or a key or a value of fields, in their order.
  private func part(_ position: Int, of number: Int) -> Part? {
    switch contents[number] {
    case .waiting, .stored, .built: nil
    case .list(let parts): position < parts.count ? parts[position] : nil
    case .pairs(let fields):
      position >= fields.count * 2
        ? nil
        : position.isMultiple(of: 2) ? fields[position / 2].key : fields[position / 2].value
    }
  }

  private mutating func close(_ written: Written) throws(ArchiveError) -> UInt32 {
    switch contents[written.number] {
    case .waiting: return builder.add("$null")
    case .stored(let document, let index): return try copy(document, index)
    case .built(let index): return index
    case .list, .pairs: break
    }
    builder.open()
    for index in written.indexes { builder.append(index) }
    if case .list = contents[written.number] { return builder.close() }
    return builder.closeDictionary()
  }

  private mutating func index(of part: Part) throws(ArchiveError) -> UInt32 {
    switch part {
    case .object(let object): return builder.add(uid: UInt64(numbers[object] ?? 0))
    case .stored(let document, let index): return try copy(document, index)
    case .built(let index): return index
    case .inline(let number): return try index(of: number)
    }
  }

  // MARK: Copies

  /// A stored value in the new table, its UIDs being the new numbers.
  private mutating func copy(
    _ document: UInt32, _ index: UInt32
  ) throws(ArchiveError) -> UInt32 {
    let table = graph.documents[Int(document)].table
    if copies[document] == nil {
      copies[document] = [UInt32](repeating: .max, count: table.count)
    }
    var stack: [Frame] = []
    try visit(index, document, table, &stack)
    while let frame = stack.last {
      if frame.next < frame.children.count {
        stack[stack.count - 1].next += 1
        try visit(frame.children[frame.next], document, table, &stack)
        continue
      }
      stack.removeLast()
      close(frame, document, table)
    }
    return copies[document]?[Int(index)] ?? 0
  }

  private mutating func visit(
    _ index: UInt32, _ document: UInt32, _ table: ValueTable, _ stack: inout [Frame]
  ) throws(ArchiveError) {
    guard copies[document]?[Int(index)] == .max else { return }
    let marker = table.marker(of: index)
    if marker >> 4 >= Marker.array {
      guard stack.count < graph.limits.depth else {
        throw ArchiveError.tooDeep(graph.limits.depth)
      }
      stack.append(Frame(index: index, children: table.children(of: index)))
    } else if marker >> 4 == Marker.uid {
      let number = UInt32(truncatingIfNeeded: table.uid(at: index))
      let object = object(document, number)
      copies[document]?[Int(index)] = builder.add(uid: UInt64(numbers[object] ?? 0))
    } else {
      copies[document]?[Int(index)] = builder.add(copying: index, of: table)
    }
  }

  private mutating func close(_ frame: Frame, _ document: UInt32, _ table: ValueTable) {
    let kind = table.marker(of: frame.index) >> 4
    let children = frame.children.map { copies[document]?[Int($0)] ?? 0 }
    copies[document]?[Int(frame.index)] =
      kind == Marker.dictionary
      ? builder.add(pairs: zip(children, children.dropFirst(children.count / 2)))
      : builder.add(list: children, kind)
  }
}
