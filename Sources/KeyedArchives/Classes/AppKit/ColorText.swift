// Colors as people write them.

import Basics

/// Texts of colors.
package enum ColorText {
  /// `#RRGGBB` of three components from 0 to 1, nil if one is beyond them.
  package static func hexadecimal(_ components: [Double]) -> String? {
    guard components.count == 3, components.allSatisfy({ (0...1).contains($0) }) else { return nil }
    return components.reduce("#") { text, component in
      let digits = String(Int((component * 255).rounded()), radix: 16, uppercase: true)
      return text + (digits.count == 1 ? "0" : "") + digits
    }
  }

  /// The three components of `#RRGGBB`; nil for other text.
  static func components(_ hexadecimal: String) -> [Double]? {
    let digits = Array(hexadecimal.utf8.dropFirst())
    guard hexadecimal.hasPrefix("#"), digits.count == 6 else { return nil }
    let numbers = [0, 2, 4].compactMap { start in
      UInt8(hexadecimal: digits[start..<start + 2]).map { Double($0) / 255 }
    }
    return numbers.count == 3 ? numbers : nil
  }

  /// The components in parentheses.
  static func list(_ components: [Double]) -> String {
    "(\(components.map { short($0) }.joined(separator: ", ")))"
  }

  /// A component with at most three digits after its point.
  static func short(_ component: Double) -> String {
    guard component.isFinite, abs(component) < 1e9 else { return component.description }
    return SummaryText.number((component * 1000).rounded() / 1000)
  }

  /// The numbers of `0.5 0.25 1`, with or without a final zero byte.
  static func numbers(_ bytes: UnsafeRawBufferPointer) -> [Double]? {
    let bytes = bytes.prefix { $0 != 0 }
    guard bytes.count < 512, let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let words = text.split(separator: " ")
    let numbers = words.compactMap { Double($0) }
    return numbers.count == words.count ? numbers : nil
  }
}
