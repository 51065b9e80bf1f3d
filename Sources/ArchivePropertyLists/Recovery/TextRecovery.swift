// Damaged texts in JSON and OpenStep's format: an error costs the element that it is in, and reading goes on behind it.

import ArchiveBasics
import ArchiveGraph

/// The errors of a text that is read as far as possible.
struct TextRecovery {
  /// Where a parser goes on after an error.
  enum Step {
    /// Nowhere: the root is complete.
    case top(UInt32)
    /// After a container, which the error ended.
    case value(UInt32)
    /// At the next value of the open container.
    case next
  }

  /// What ends the part of a text that an error costs.
  enum End {
    case separator, container, text
  }

  /// The marks of an open container in the text.
  struct Container {
    let separator: UInt8
    /// What ends it; nil if only the text does.
    let end: UInt8?
    /// What separates values of the container around it, if that is another character.
    var outerSeparator: UInt8?
  }

  private static let mostListed = 100
  /// How often the text is looked at again, because a string in it has no end.
  private static let mostRestarts = 100

  var top: UInt32?
  private var listed: [ArchiveError] = []
  private var count = 0
  private var restarts = 0
  private var lostKeys = 0

  /// The errors, with positions of the parser.
  var losses: [ArchiveError] {
    guard count > listed.count else { return listed }
    return listed + [ArchiveError(.malformed, "\(count - listed.count) more errors in the text")]
  }

  /// Marks in the open container of a builder what an error costs: a value, or a pair.
  ///
  /// - Parameters:
  ///   - isPairs: whether keys and values take turns.
  ///   - replacing: whether the last value is lost as well.
  /// - Returns: whether a key was added.
  mutating func mark(
    _ problem: ArchiveError, in builder: inout GraphBuilder, isPairs: Bool, replacing: Bool
  ) -> Bool {
    if replacing { builder.dropLast() }
    guard isPairs, builder.openCount % 2 == 0 else {
      builder.append(builder.add(lost: problem.message))
      return false
    }
    lostKeys += 1
    builder.append(builder.add(lostKeys == 1 ? "$lost" : "$lost \(lostKeys)"))
    builder.append(builder.add(problem.message))
    return true
  }

  mutating func note(_ problem: ArchiveError) {
    count += 1
    if listed.count < Self.mostListed { listed.append(problem) }
  }

  /// Moves behind what an error costs.
  mutating func resume(
    in bytes: ByteView, at position: inout Int, after problem: ArchiveError,
    _ container: Container
  ) -> End {
    var start = position
    // A string without an end reaches to the end of the text, but its quotation mark may be the error.
    if position == bytes.count, let opening = problem.offset, opening < position,
      restarts < Self.mostRestarts
    {
      restarts += 1
      start = opening + 1
    }
    let found = Self.end(of: container, in: bytes, from: start, hasBrackets: true)
    // A bracket without its partner must not cost the rest.
    if found.end == .text, found.position > start, restarts < Self.mostRestarts {
      restarts += 1
      let other = Self.end(of: container, in: bytes, from: start, hasBrackets: false)
      position = other.position
      return other.end
    }
    position = found.position
    return found.end
  }

  private static func end(
    of container: Container, in bytes: ByteView, from start: Int, hasBrackets: Bool
  ) -> (end: End, position: Int) {
    var depth = 0
    var position = start
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case container.separator where depth == 0: return (.separator, position + 1)
      case container.outerSeparator where depth == 0: return (.container, position)
      case UInt8(ascii: "\""), UInt8(ascii: "'"): position = endOfLineString(bytes, position)
      case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("):
        if hasBrackets { depth += 1 }
      case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"):
        if depth > 0 {
          depth -= 1
        } else if let end = container.end {
          // Another bracket ends a container around this one as well.
          return (.container, byte == end ? position + 1 : position)
        }
      default: break
      }
      position += 1
    }
    return (.text, bytes.count)
  }

  /// The position of the quotation mark that ends a string on its line, or else of the one that begins it.
  private static func endOfLineString(_ bytes: ByteView, _ start: Int) -> Int {
    var position = start + 1
    while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D {
      if bytes[position] == bytes[start] { return position }
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return start
  }
}

extension GraphBuilder {
  /// Adds what stands for a lost value: a dictionary with the key `$lost` and the reason.
  mutating func add(lost reason: String) -> UInt32 {
    add(members: [("$lost", add(reason))])
  }
}
