// The texts of XML property list scalars: integers, reals and dates, by CoreFoundation's rules
// (CFPropertyList.c), each an exact parse of the whole text.

import ObjectGraph

/// An integer of an XML property list.
enum XMLInteger: Equatable {
  case signed(Int64)
  case unsigned(UInt64)

  /// Parses decimal or `0x` hexadecimal with an optional sign; nil if it is none or does not fit 64 bits.
  init?(_ text: String) {
    var digits = Substring(trimmed(text))
    var negative = false
    if let sign = digits.first, sign == "-" || sign == "+" {
      negative = sign == "-"
      digits = digits.dropFirst()
    }
    var radix = 10
    if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
      radix = 16
      digits = digits.dropFirst(2)
    }
    guard let first = digits.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+"),
      let magnitude = UInt64(digits, radix: radix)
    else { return nil }
    if !negative {
      self = magnitude > UInt64(Int64.max) ? .unsigned(magnitude) : .signed(Int64(magnitude))
    } else {
      guard magnitude <= UInt64(Int64.max) + 1 else { return nil }
      self = .signed(Int64(truncatingIfNeeded: 0 &- magnitude))
    }
  }
}

/// Parses a real: decimal with an optional exponent, `nan`, `inf` or `infinity` in any case.
func xmlReal(_ text: String) -> Double? {
  let text = trimmed(text).lowercased()
  switch text {
  case "nan": return .nan
  case "inf", "+inf", "infinity", "+infinity": return .infinity
  case "-inf", "-infinity": return -.infinity
  default:
    let isDecimal = text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "e")
        || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+")
    }
    return isDecimal ? Double(text) : nil
  }
}

/// Parses `[-]Y…-MM-DDThh:mm:ssZ` into seconds from 2001-01-01T00:00:00Z.
func xmlDate(_ text: String) -> Double? {
  var rest = Substring(trimmed(text))
  let negative = rest.hasPrefix("-")
  if negative { rest = rest.dropFirst() }
  let halves = rest.split(separator: "T", omittingEmptySubsequences: false)
  guard halves.count == 2, halves[1].hasSuffix("Z") else { return nil }
  let date = halves[0].split(separator: "-", omittingEmptySubsequences: false)
  let time = halves[1].dropLast().split(separator: ":", omittingEmptySubsequences: false)
  guard date.count == 3, time.count == 3, (4...9).contains(date[0].count) else { return nil }
  var fields: [Int] = []
  for (position, part) in (date + time).enumerated() {
    guard position == 0 || part.utf8.count == 2,
      part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(part)
    else { return nil }
    fields.append(number)
  }
  let timestamp = Timestamp(
    year: negative ? -fields[0] : fields[0], month: fields[1], day: fields[2], hour: fields[3],
    minute: fields[4], second: Double(fields[5]))
  return timestamp.secondsFromReference
}

/// The text without the white space around it.
private func trimmed(_ text: String) -> String {
  let space: (Character) -> Bool = { $0 == " " || $0.isNewline || $0 == "\t" }
  return String(text.drop(while: space).reversed().drop(while: space).reversed())
}
