// Damaged XML: a wrong element costs itself, and where the text is no XML any more its values so far are kept.

import Basics
internal import CLibXML2
import ObjectGraph

extension XMLAssembly {
  /// Marks what is missing in the container that is open, and goes on.
  mutating func markLost(_ message: String, at offset: Int?) {
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
