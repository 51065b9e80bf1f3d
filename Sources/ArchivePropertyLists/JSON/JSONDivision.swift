// A long list as JSON, written by several threads: each takes the next few elements, and their texts are put out in
// the order of the list.

import ArchiveBasics
import ArchiveGraph

extension JSONWriter {
  /// How much text of a container one thread writes before others are asked for help.
  var textForOneThread: Int {
    // What is identified, and how deep it is, depends on all that was written before.
    guard graph.limits.threads > 1, !options.isTyped, !options.refersToShared, options.depth == nil,
      !sharing.hasCycles, !sharing.isByDistance
    else { return .max }
    return graph.limits.largeInputs.textForOneThread(
      graph.documents.reduce(0) { $0 + $1.table.count },
      isBinary: graph.documents[0].encoding.isTable)
  }

  /// Writes the rest of the innermost container with several threads, if it is as long as its beginning promises.
  @inline(never)
  mutating func divide(
    _ top: UnsafeMutablePointer<Frame>, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    let frame = top.pointee
    let written = output.mark - frame.start
    guard promisedText(frame, written: written) > Double(mostAlone) else { return }
    let count = graph.limits.threadCount
    guard count > 1 else {
      mostAlone = .max
      return
    }
    let result = withUnsafeMutablePointer(to: &output) { output in
      let division = JSONDivision(of: frame, in: self, to: output)
      graph.withSharedReading {
        let threads = WorkerThreads(count: count - 1) { division.work() }
        division.work()
        // The output is the caller's again once all threads have ended.
        threads.join()
      }
      return division.result
    }
    visited = result.visited &+ frame.count &- frame.next
    top.pointee.next = frame.count
    if let error = result.error { throw error }
  }

  /// How much text the rest of a container will have, if it is like its beginning; none if it cannot be divided.
  private func promisedText(_ frame: Frame, written: Int) -> Double {
    switch frame.children {
    case .elements, .members:
      Double(written) * Double(frame.count - frame.next) / Double(frame.next)
    case .named, .entries, .entry: 0
    }
  }

  /// Writes some children of a container that another writer began.
  fileprivate mutating func write(
    _ range: Range<Int>, of frame: Frame, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    for position in range where !output.hasProblem {
      writeChild(position, of: frame, to: &output.bytes)
      output.flushIfFull()
      try runOpen(to: &output)
    }
  }
}

/// The elements of a list that are still to be written.
///
/// What changes is changed while the lock is held; the output, by the thread that made `isWriting` true.
final class JSONDivision: @unchecked Sendable {
  /// How much text a part aims at: less than what makes a buffer full.
  private static let partText = 96 << 10
  /// How many parts are begun before the first of them is put out.
  private static let window = 8

  /// Some elements of the list.
  private final class Part {
    var text = OutputBuffer(descriptor: nil)
    var visited = 0
    var isDone = false
  }

  let graph: ObjectGraph
  let options: JSONWriter.Options
  let sharing: SharingAnalysis
  let keys: [Node]
  let indentation: Int
  private let frame: JSONWriter.Frame
  private let output: UnsafeMutablePointer<OutputBuffer>
  private let limit: Int
  private let step: Int
  /// How much text a part may keep before its turn comes.
  private let mostText: Int
  private let lock = ConditionLock()
  /// The parts by their numbers, modulo their count.
  private let parts: [Part]
  /// The first element that nobody has taken.
  private var next: Int
  /// How many parts were begun, and how many were put out.
  private var begun = 0
  private var turn = 0
  private var isWriting = false
  private var visited: Int
  private var error: ArchiveError?
  /// Whether no more is to be written.
  private var isStopped = false

  /// Takes the rest of a container.
  ///
  /// - Parameter output: where it is written, by one thread at a time, until all have ended.
  init(
    of frame: JSONWriter.Frame, in writer: borrowing JSONWriter,
    to output: UnsafeMutablePointer<OutputBuffer>
  ) {
    (graph, options, sharing) = (writer.graph, writer.options, writer.sharing)
    (keys, indentation, limit) = (writer.keys, writer.indentation, writer.limit)
    var frame = frame
    // What was looked up is that of the other writer.
    frame.indexes = -1
    self.frame = frame
    self.output = output
    next = frame.next
    visited = writer.visited
    let text = max(output.pointee.mark - frame.start, 1)
    let most = graph.limits.largeInputs.jsonPart
    step = max(1, min(Self.partText * frame.next / text, most.elements))
    mostText = most.text
    parts = (0..<Self.window).map { _ in Part() }
  }

  /// How many values the parts had that were put out, and why writing stopped.
  var result: (visited: Int, error: ArchiveError?) { (visited, error) }

  // MARK: Threads

  /// Writes parts until there are no more.
  func work() {
    var writer = JSONWriter(partOf: self)
    while let (number, range) = nextPart() {
      let part = parts[number % parts.count]
      part.text.relay = { [self] text in
        text.count > mostText ? write(&text, of: number) : nil
      }
      do throws(ArchiveError) {
        let before = writer.visited
        try writer.write(range, of: frame, to: &part.text)
        part.visited = writer.visited - before
      } catch {
        stop(error)
      }
      part.text.relay = nil
      finish(part)
    }
  }

  /// The next part, once there is room for it; nil if there is none.
  private func nextPart() -> (number: Int, range: Range<Int>)? {
    lock.locked {
      while !isStopped, next < frame.count, begun - turn >= parts.count { lock.wait(for: .result) }
      guard !isStopped, next < frame.count else { return nil }
      let range = next..<min(next + step, frame.count)
      next = range.upperBound
      begun += 1
      parts[(begun - 1) % parts.count].isDone = false
      return (begun - 1, range)
    }
  }

  private func stop(_ error: ArchiveError?) {
    lock.locked {
      isStopped = true
      self.error = self.error ?? error
      lock.signalAll(.result)
    }
  }

  /// The error of a part when nobody wants more of it; why, the output knows.
  private static let stopping = ArchiveError(.inputOutput, "the output has ended")

  // MARK: Output

  /// Puts out the parts whose turn it is, unless another thread does so.
  private func finish(_ part: Part) {
    let isMine = lock.locked {
      part.isDone = true
      return beginWriting()
    }
    guard isMine else { return }
    var hasTurn = true
    while hasTurn {
      let part = parts[turn % parts.count]
      output.pointee.drain(&part.text.bytes)
      let hasFailed = output.pointee.hasProblem
      hasTurn = lock.locked {
        visited &+= part.visited
        turn += 1
        if hasFailed || visited > limit { isStopped = true }
        isWriting = false
        lock.signalAll(.result)
        return beginWriting()
      }
    }
  }

  /// Whether the first part that was not put out can be, by the thread that asks.
  private func beginWriting() -> Bool {
    guard !isWriting, !isStopped, turn < begun, parts[turn % parts.count].isDone else {
      return false
    }
    isWriting = true
    return true
  }

  /// Puts out what there is of a long part, once its turn comes.
  private func write(_ text: inout ByteBuffer, of number: Int) -> ArchiveError? {
    let isStopped = lock.locked {
      while !self.isStopped, turn < number || isWriting { lock.wait(for: .result) }
      isWriting = !self.isStopped
      return self.isStopped
    }
    if isStopped { return Self.stopping }
    output.pointee.drain(&text)
    let hasFailed = output.pointee.hasProblem
    lock.locked {
      isWriting = false
      if hasFailed { self.isStopped = true }
      lock.signalAll(.result)
    }
    return hasFailed ? Self.stopping : nil
  }
}
