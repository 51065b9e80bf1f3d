// A large typedstream read by two threads: one parses, the other one puts the objects into the table of an archive.

import ArchiveBasics
import ArchiveGraph

/// Hands the objects of a stream to the thread that assembles them, some thousand at a time.
struct StreamRelay: ~Copyable, StreamConsumer {
  private let exchange: StreamExchange
  private let threads: WorkerThreads
  /// How many groups and values a batch has about; an object that has more of them is not copied.
  private let fullCount: Int
  /// What is filled.
  private var batch: UnsafeMutablePointer<StreamBatch>
  /// How many classes and lists of types the other thread knows.
  private var classCount = 0
  private var listCount = 0
  private let stream: ByteView
  /// What gives back the bytes that were read; nil if somebody else needs them.
  private let storage: ByteStorage?
  let texts: StreamTexts?

  /// Starts the thread; nil if there is none to be had.
  ///
  /// - Parameters:
  ///   - assembly: what gets the objects, on either thread but never on both at a time.
  ///   - fullCount: how many groups and values a batch has about.
  ///   - storage: the bytes of the stream, if they may be given back; they begin where it begins.
  init?(
    _ assembly: consuming StreamAssembly, batch fullCount: Int,
    givingBack storage: ByteStorage? = nil
  ) {
    self.storage = storage
    stream = assembly.stream
    texts = storage == nil ? nil : StreamTexts()
    self.fullCount = fullCount
    let exchange = StreamExchange(assembly)
    threads = WorkerThreads(count: 1) { exchange.work() }
    guard threads.count == 1 else { return nil }
    self.exchange = exchange
    batch = exchange.empty()
  }

  mutating func receive(_ object: StreamObject, _ tables: inout StreamTables) {
    guard object.groups.count &+ tables.valueCount &- object.values < fullCount else {
      flush(tables)
      return exchange.assembleOnCaller(object, &tables)
    }
    batch.pointee.add(object, tables, of: stream)
    if batch.pointee.count >= fullCount { flush(tables) }
  }

  mutating func discardPages(before position: Int) {
    let needed = min(exchange.lowest, batch.pointee.lowest)
    storage?.discardPages(before: min(position, needed))
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
  /// How many objects ahead memory is loaded: the time of a few objects is that of one access.
  private static let prefetchDistance = 8

  private var objects = RawStack<StreamObject>()
  /// The groups and values.
  private var contents = StreamTables()
  /// The number of objects that began.
  var objectCount = 0
  /// Where the first of the stream's bytes are that its values show; the highest number if they show none.
  private(set) var lowest = Int.max
  /// The classes and the lists of types that are new.
  var classes: [TypedClass] = []
  var lists: [[EncodedType]] = []

  var count: Int { contents.groups.count + contents.valueCount }

  /// Adds an object.
  ///
  /// - Parameter stream: the bytes that its values show, but for those of shared strings.
  mutating func add(_ object: StreamObject, _ tables: borrowing StreamTables, of stream: ByteView) {
    objects.push(
      contents.add(object, of: tables) { bytes in
        if let position = stream.position(of: bytes) { lowest = min(lowest, position) }
      })
  }

  /// Begins anew, when all objects are assembled.
  mutating func begin() { lowest = .max }

  /// Gives all objects to an assembly, and is empty afterwards.
  mutating func empty(into assembly: inout StreamAssembly, _ tables: inout StreamTables) {
    tables.objectCount = objectCount
    tables.classes += classes
    for list in lists { _ = tables.add(list) }
    tables.exchangeContents(&contents)
    for position in 0..<objects.count {
      let coming = position &+ Self.prefetchDistance
      if coming < objects.count { assembly.prefetch(objects[coming].pointee, &tables) }
      assembly.receive(objects[position].pointee, &tables)
    }
    tables.exchangeContents(&contents)
    objects.truncate(to: 0)
    contents.truncate(groups: 0, values: 0)
  }
}

/// The batches between the two threads.
///
/// All mutable state but the assembly and the batches is accessed only while the lock is held. The assembly is that of the
/// other thread while there are full batches, and else that of the thread which fills them; a batch belongs to the thread
/// that took it.
private final class StreamExchange: @unchecked Sendable {
  /// Enough to keep the other thread busy while this one has no processor for some milliseconds.
  private static let batchCount = 40

  var assembly: StreamAssembly
  /// What the other thread knows of the stream's tables.
  private var tables = StreamTables()
  private let lock = ConditionLock()
  /// Pointers, because each read of a class's variable is checked.
  private let batches = UnsafeMutablePointer<StreamBatch>.allocate(capacity: batchCount)
  private var free: [UnsafeMutablePointer<StreamBatch>] = []
  /// Those to assemble, and where the first of the stream's bytes are that each shows.
  private var full: [(batch: UnsafeMutablePointer<StreamBatch>, lowest: Int)] = []
  /// The same of the batch that is assembled; nil if none is.
  private var working: Int?
  private var isEnding = false
  /// What the assembly fills next: the thread that waits for a batch gets these pages meanwhile.
  private var comingPages: [Range<UInt>] = []

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

  /// Waits for a batch to fill.
  func empty() -> UnsafeMutablePointer<StreamBatch> {
    while true {
      let (batch, pages) = lock.locked { () -> (UnsafeMutablePointer<StreamBatch>?, Range<UInt>?) in
        while free.isEmpty, comingPages.isEmpty { lock.wait(for: .result) }
        guard let batch = free.popLast() else { return (nil, comingPages.popLast()) }
        return (batch, nil)
      }
      if let pages { PagePrefaulter.get(pages) }
      guard let batch else { continue }
      batch.pointee.begin()
      return batch
    }
  }

  func give(_ batch: UnsafeMutablePointer<StreamBatch>) {
    lock.locked {
      full.append((batch, batch.pointee.lowest))
      lock.signal(.work)
    }
  }

  /// Where the first bytes are that batches show which are not assembled; the highest number if there are none.
  var lowest: Int {
    lock.locked {
      full.reduce(working ?? .max) { min($0, $1.lowest) }
    }
  }

  /// Puts an object into the assembly once all before it are there.
  func assembleOnCaller(_ object: StreamObject, _ tables: inout StreamTables) {
    lock.locked {
      while !full.isEmpty || working != nil { lock.wait(for: .result) }
    }
    assembly.receive(object, &tables)
  }

  func end() {
    lock.locked {
      isEnding = true
      lock.signal(.work)
    }
  }

  func work() {
    var known: [Range<UInt>] = []
    while let batch = next() {
      batch.pointee.empty(into: &assembly, &tables)
      let pages = assembly.builder.comingPages
      lock.locked {
        free.append(batch)
        if pages != known { comingPages = pages }
        working = nil
        // To be woken costs as much as some objects.
        if free.count >= Self.batchCount / 8 || full.isEmpty { lock.signal(.result) }
      }
      known = pages
    }
  }

  private func next() -> UnsafeMutablePointer<StreamBatch>? {
    lock.locked {
      while full.isEmpty, !isEnding { lock.wait(for: .work) }
      guard !full.isEmpty else { return nil }
      let (batch, lowest) = full.removeFirst()
      working = lowest
      return batch
    }
  }
}

extension ByteView {
  /// Where bytes begin among these; nil if they are others.
  @inline(__always)
  fileprivate func position(of bytes: ByteView) -> Int? {
    guard let start = baseAddress, let first = bytes.baseAddress, first >= start,
      first < start + count
    else { return nil }
    return first - start
  }
}

// MARK: - The shared strings of a typedstream whose bytes are given back while it is read

/// Copies of strings, which stay where they are.
///
/// One thread adds to it; others may read what they were given.
final class StreamTexts: @unchecked Sendable {
  private static let chunkSize = 1 << 16

  private var chunks: [UnsafeMutableRawBufferPointer] = []
  /// How many bytes of the last chunk are taken.
  private var filled = 0

  deinit {
    for chunk in chunks { chunk.deallocate() }
  }

  /// Copies bytes to where they stay as long as this does.
  func copy(_ bytes: ByteView) -> ByteView {
    if bytes.count > (chunks.last?.count ?? 0) - filled {
      let size = max(bytes.count, Self.chunkSize)
      chunks.append(UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1))
      filled = 0
    }
    let copied = UnsafeMutableRawBufferPointer(
      rebasing: chunks[chunks.count - 1][filled..<filled + bytes.count])
    copied.copyMemory(from: bytes.unchecked)
    filled += bytes.count
    return ByteView(copied)
  }
}
