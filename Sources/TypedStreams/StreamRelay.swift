// A large typedstream read by two threads: one parses, the other one puts the objects into the table of an archive.

import Basics
import ObjectGraph

/// Hands the objects of a stream to the thread that assembles them, some thousand at a time.
struct StreamRelay: ~Copyable, StreamConsumer {
  /// Streams of fewer bytes are not worth a thread.
  static let leastBytes = 1 << 22
  private let exchange: StreamExchange
  private let threads: WorkerThreads
  /// How many groups and values a batch has about; an object that has more of them is not copied.
  private let fullCount: Int
  /// What is filled.
  private var batch: UnsafeMutablePointer<StreamBatch>
  /// How many classes and lists of types the other thread knows.
  private var classCount = 0
  private var listCount = 0

  /// Starts the thread; nil if there is none to be had.
  ///
  /// - Parameters:
  ///   - assembly: what gets the objects, on either thread but never on both at a time.
  ///   - copiesFew: whether batches are small, for tests.
  init?(_ assembly: consuming StreamAssembly, copiesFew: Bool) {
    fullCount = copiesFew ? 16 : 1 << 13
    let exchange = StreamExchange(assembly)
    threads = WorkerThreads(count: 1) { exchange.work() }
    guard threads.count == 1 else { return nil }
    self.exchange = exchange
    batch = exchange.empty()
  }

  mutating func take(_ object: StreamObject, _ tables: inout StreamTables) {
    guard object.groups.count &+ tables.valueCount &- object.values < fullCount else {
      flush(tables)
      return exchange.takeMyself(object, &tables)
    }
    batch.pointee.add(object, tables)
    if batch.pointee.count >= fullCount { flush(tables) }
  }

  /// Hands over what there is, and what the tables have that the other thread does not know.
  private mutating func flush(_ tables: borrowing StreamTables) {
    batch.pointee.objectCount = tables.objectCount
    batch.pointee.classes = Array(tables.classes[classCount...])
    batch.pointee.lists = tables.lists(from: listCount)
    classCount = tables.classes.count
    listCount += batch.pointee.lists.count
    exchange.give(batch)
    batch = exchange.empty()
  }

  /// Waits until everything is assembled, and ends the thread.
  ///
  /// - Returns: what the assembly makes of it.
  mutating func finish<Result>(
    _ tables: inout StreamTables, _ body: (inout StreamAssembly, inout StreamTables) -> Result
  ) -> Result {
    flush(tables)
    exchange.end()
    threads.join()
    return body(&exchange.assembly, &tables)
  }

  /// Ends the thread; what was not assembled is dropped.
  mutating func cancel() {
    exchange.end()
    threads.join()
  }
}

/// Objects with copies of their groups and values.
private struct StreamBatch: ~Copyable {
  private var objects = RawStack<StreamObject>()
  private var groups = RawStack<StreamGroup>()
  private var values = RawStack<StreamItem>()
  /// The number of objects that began.
  var objectCount = 0
  /// The classes and the lists of types that are new.
  var classes: [TypedClass] = []
  var lists: [[EncodedType]] = []

  var count: Int { groups.count + values.count }

  mutating func add(_ object: StreamObject, _ tables: borrowing StreamTables) {
    // What the parser's tables have of it begins at its own places here.
    var copy = object
    copy.groups = StreamRange(start: groups.count, count: object.groups.count)
    let shift = values.count &- object.values
    for group in tables.groups(of: object) {
      let range = group.values.shifted(by: shift)
      groups.push(StreamGroup(list: group.list, values: range, letter: group.letter))
    }
    let start = values.count
    values.push(all: tables.values(from: object.values))
    for position in start..<values.count {
      switch values[position].pointee {
      case .array(let range): values[position].pointee = .array(range.shifted(by: shift))
      case .structure(let range): values[position].pointee = .structure(range.shifted(by: shift))
      default: continue
      }
    }
    objects.push(copy)
  }

  /// Gives all objects to an assembly, and is empty afterwards.
  mutating func empty(into assembly: inout StreamAssembly, _ tables: inout StreamTables) {
    tables.objectCount = objectCount
    tables.classes += classes
    for list in lists { _ = tables.add(list) }
    tables.exchange(&groups, &values)
    for position in 0..<objects.count { assembly.take(objects[position].pointee, &tables) }
    tables.exchange(&groups, &values)
    objects.truncate(to: 0)
    groups.truncate(to: 0)
    values.truncate(to: 0)
  }
}

/// The batches between the two threads.
///
/// All mutable state but the assembly and the batches is accessed only while the lock is held. The assembly is that of the
/// other thread while there are full batches, and else that of the thread which fills them; a batch belongs to the thread
/// that took it.
private final class StreamExchange: @unchecked Sendable {
  /// Enough to keep the other thread busy while this one gets a large page.
  private static let batchCount = 16

  var assembly: StreamAssembly
  /// What the other thread knows of the stream's tables.
  private var tables = StreamTables()
  private let lock = ConditionLock()
  /// Pointers, because each read of a class's variable is checked.
  private let batches = UnsafeMutablePointer<StreamBatch>.allocate(capacity: batchCount)
  private var free: [UnsafeMutablePointer<StreamBatch>] = []
  private var full: [UnsafeMutablePointer<StreamBatch>] = []
  /// What the assembly will fill next; and the ends of the pages that are there of it, which the thread that fills batches
  /// keeps.
  private var rests: [ComingMemory.Rest?] = []
  private var pageEnds: [UInt] = []
  private var isWorking = false
  private var isEnding = false

  init(_ assembly: consuming StreamAssembly) {
    self.assembly = assembly
    for position in 0..<Self.batchCount {
      (batches + position).initialize(to: StreamBatch())
      free.append(batches + position)
    }
  }

  deinit {
    batches.deinitialize(count: Self.batchCount)
    batches.deallocate()
  }

  /// Waits for a batch to fill, and meanwhile gets memory for the other thread.
  func empty() -> UnsafeMutablePointer<StreamBatch> {
    while true {
      let (batch, rests) = lock.locked { (free.popLast(), self.rests) }
      if let batch { return batch }
      if getPages(rests) { continue }
      lock.locked {
        while free.isEmpty { lock.wait(for: .result) }
      }
    }
  }

  /// Gets pages of one of some buffers; false if each has enough of them.
  private func getPages(_ rests: [ComingMemory.Rest?]) -> Bool {
    while pageEnds.count < rests.count { pageEnds.append(0) }
    for (position, rest) in rests.enumerated() {
      if let rest, ComingMemory.get(rest, after: &pageEnds[position]) { return true }
    }
    return false
  }

  func give(_ batch: UnsafeMutablePointer<StreamBatch>) {
    lock.locked {
      full.append(batch)
      lock.signal(.work)
    }
  }

  /// Puts an object into the assembly once all before it are there.
  func takeMyself(_ object: StreamObject, _ tables: inout StreamTables) {
    lock.locked {
      while !full.isEmpty || isWorking { lock.wait(for: .result) }
    }
    assembly.take(object, &tables)
  }

  func end() {
    lock.locked {
      isEnding = true
      lock.signal(.work)
    }
  }

  /// Assembles batches until the end.
  func work() {
    while let batch = next() {
      batch.pointee.empty(into: &assembly, &tables)
      let rests = assembly.rests
      lock.locked {
        self.rests = rests
        free.append(batch)
        isWorking = false
        // To be woken costs as much as some objects.
        if free.count >= Self.batchCount / 4 || full.isEmpty { lock.signal(.result) }
      }
    }
  }

  private func next() -> UnsafeMutablePointer<StreamBatch>? {
    lock.locked {
      while full.isEmpty, !isEnding { lock.wait(for: .work) }
      guard !full.isEmpty else { return nil }
      isWorking = true
      return full.removeFirst()
    }
  }
}

extension StreamRange {
  /// As many values that begin elsewhere.
  @inline(__always)
  fileprivate func shifted(by shift: Int) -> StreamRange {
    StreamRange(start: start &+ shift, count: count)
  }
}
