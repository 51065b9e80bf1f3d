// Test values with a one-line description that every reference program can print as well.

import ArchiveBasics
import ArchiveGraph
import Foundation

/// A property list as a plain Swift value.
package indirect enum SampleValue: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case real(Double)
  case date(Double)
  case data([UInt8])
  case string(String)
  case uid(UInt64)
  case array([SampleValue])
  case dictionary([(String, SampleValue)])

  /// The value in one line of ASCII: a letter for the type, reals and dates by their bits, keys sorted.
  package var canonical: String {
    switch self {
    case .null: return "n"
    case .boolean(let flag): return flag ? "T" : "F"
    case .integer(let number): return "i\(number)"
    case .unsigned(let number): return "i\(number)"
    case .real(let number): return "r" + Self.bits(number)
    case .date(let seconds): return "d" + Self.bits(seconds)
    case .data(let bytes):
      return "x" + bytes.map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()
    case .string(let text): return Self.quoted(text)
    case .uid(let number): return "u\(number)"
    case .array(let elements): return "[" + elements.map(\.canonical).joined(separator: ",") + "]"
    case .dictionary(let pairs):
      let items = pairs.map { Self.quoted($0.0) + ":" + $0.1.canonical }
      return "{" + items.sorted().joined(separator: ",") + "}"
    }
  }

  private static func bits(_ number: Double) -> String {
    // One NaN is as good as another.
    number.isNaN ? "nan" : String(number.bitPattern, radix: 16)
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.utf16.map { String($0, radix: 16) }.joined(separator: ".") + "'"
  }

  /// The value with the dictionaries that XML has for UIDs.
  package var withSpelledUIDs: SampleValue {
    switch self {
    case .uid(let number): return .dictionary([("CF$UID", .unsigned(number))])
    case .array(let elements): return .array(elements.map(\.withSpelledUIDs))
    case .dictionary(let pairs):
      return .dictionary(pairs.map { ($0.0, $0.1.withSpelledUIDs) })
    default: return self
    }
  }

  /// The value without the members of dictionaries that are null.
  package var withoutNulls: SampleValue {
    guard case .dictionary(let pairs) = self else { return self }
    return .dictionary(pairs.filter { if case .null = $0.1 { false } else { true } })
  }

  /// The value as a document, made by `GraphBuilder`.
  package var document: Document {
    var builder = GraphBuilder()
    let top = add(to: &builder)
    return builder.finish(top: top)
  }

  private func add(to builder: inout GraphBuilder) -> UInt32 {
    switch self {
    case .null: return builder.addNull()
    case .boolean(let flag): return builder.add(flag)
    case .integer(let number): return builder.add(number)
    case .unsigned(let number): return builder.add(unsigned: number)
    case .real(let number): return builder.add(number)
    case .date(let seconds): return builder.add(date: seconds)
    case .data(let bytes): return bytes.withByteView { builder.add(data: $0) }
    case .string(let text): return builder.add(text)
    case .uid(let number): return builder.add(uid: number)
    case .array(let elements):
      builder.open()
      for element in elements { builder.append(element.add(to: &builder)) }
      return builder.close()
    case .dictionary(let pairs):
      builder.open()
      for (key, value) in pairs {
        builder.append(builder.add(key))
        builder.append(value.add(to: &builder))
      }
      return builder.closeDictionary()
    }
  }

  /// What Foundation read, as a value.
  ///
  /// Numbers that Foundation wrote as booleans are booleans.
  package init(foundation object: Any) {
    switch object {
    case let text as NSString: self = .string(text as String)
    case let number as NSNumber:
      let type = String(cString: number.objCType)
      if type == "c" || type == "B" {
        self = .boolean(number.boolValue)
      } else if type == "d" || type == "f" {
        self = .real(number.doubleValue)
      } else {
        // Its C type does not tell numbers above `Int64.max`; its text does.
        self =
          Int64(number.stringValue).map { .integer($0) } ?? .unsigned(number.uint64Value)
      }
    case let date as NSDate: self = .date(date.timeIntervalSinceReferenceDate)
    case let data as NSData: self = .data([UInt8](data as Data))
    case let array as NSArray: self = .array(array.map { SampleValue(foundation: $0) })
    case let dictionary as NSDictionary:
      self = .dictionary(
        dictionary.map { ($0.key as? String ?? "?", SampleValue(foundation: $0.value)) })
    default: self = .null
    }
  }
}

/// Makes values from a seed (a seed tells the value).
package struct SampleMaker {
  private var numbers: SeededNumbers
  /// Whether UIDs may occur.
  package var hasUIDs: Bool
  /// Whether nulls may occur.
  package var hasNulls: Bool

  /// Whether dates and data may occur, which JSON has not.
  package var hasDatesAndData = true
  /// Whether strings may begin with U+FEFF, which Foundation on Linux takes for a byte order mark.
  package var hasByteOrderMarks = true

  /// Makes a maker.
  package init(seed: UInt64, hasUIDs: Bool = false, hasNulls: Bool = false) {
    numbers = SeededNumbers(seed: seed)
    self.hasUIDs = hasUIDs
    self.hasNulls = hasNulls
  }

  /// A number from 0 up to a bound.
  package mutating func next(_ bound: Int) -> Int { numbers.below(bound) }

  private mutating func bits() -> UInt64 { numbers.next() }

  /// A value whose containers lie at most so deep.
  package mutating func value(depth: Int) -> SampleValue {
    switch next(depth > 0 ? 14 : 9) {
    case 0: return .boolean(next(2) == 0)
    case 1: return .integer(integer())
    case 2: return .real(real())
    // Whole seconds of years that every judge has.
    case 3 where hasDatesAndData: return .date(Double(next(6_000_000_000)) - 3_000_000_000)
    case 4 where hasDatesAndData: return .data((0..<next(50)).map { _ in UInt8(next(256)) })
    case 5: return hasUIDs ? .uid(uid()) : .string(string())
    case 6: return hasNulls ? .null : .unsigned(UInt64.max - UInt64(next(1000)))
    case 3, 4, 7, 8: return .string(string())
    case 9, 10: return .array((0..<next(12)).map { _ in value(depth: depth - 1) })
    default:
      var pairs: [(String, SampleValue)] = []
      var keys: Set<String> = []
      for _ in 0..<next(12) {
        let key = string()
        if keys.insert(key).inserted { pairs.append((key, value(depth: depth - 1))) }
      }
      return .dictionary(pairs)
    }
  }

  private mutating func integer() -> Int64 {
    let edges: [Int64] = [0, 1, -1, 127, 128, 255, 256, 65_535, 65_536, 1 << 32, .max, .min]
    let edge = next(edges.count * 2)
    if edge < edges.count { return edges[edge] }
    return Int64(bitPattern: bits()) >> Int64(next(64))
  }

  private mutating func real() -> Double {
    let edges: [Double] = [
      0.5, -1e300, 64, 2.5e-308, Double.leastNonzeroMagnitude, 1.0 / 3, -0.0, 1e22,
      9_007_199_254_740_992,
    ]
    let edge = next(edges.count * 2)
    if edge < edges.count { return edges[edge] }
    let number = Double(bitPattern: bits())
    return number.isFinite ? number : 1.5
  }

  private mutating func uid() -> UInt64 {
    [0, 1, 255, 256, 65_536, 0xFFFF_FFFF][next(6)]
  }

  private mutating func string() -> String {
    let alphabet = Array("abcXYZ 09_$<&>]\"'\\/;=\t\nü東🌦é\u{0301}\u{7F}\u{85}\u{2028}\u{FEFF}").map(
      String.init)
    let text = (0..<next(24)).map { _ in alphabet[next(alphabet.count)] }.joined()
    return hasByteOrderMarks ? text : "+" + text
  }
}
