// Lines with seals: each has the HMAC of itself and of the seal before it, as in archtool-journal(5).

/// Seals lines of JSON one after another, or checks that they were.
package struct SealChain: Sendable {
  private let key: SealingKey
  /// The digits of the latest seal; empty before the first line.
  private var latest: [UInt8] = []

  private static let opening = Array(#","seal":""#.utf8)
  private static let closing = Array("\"}\n".utf8)
  private static let digits = 64

  /// Begins a chain.
  package init(_ key: SealingKey) { self.key = key }

  /// Seals a line.
  ///
  /// - Parameter line: a JSON object with members, and a newline.
  /// - Returns: the line with its seal as the last member.
  package mutating func seal(_ line: some Collection<UInt8>) -> [UInt8] {
    // Without the brace and the newline.
    let content = line.dropLast(2)
    let seal = key.code(of: latest + content).digits
    latest = seal
    return content + Self.opening + seal + Self.closing
  }

  /// Whether a line has the seal that it must have as the next one; if not, the chain stays where it is.
  mutating func takes(_ line: ArraySlice<UInt8>) -> Bool {
    guard let (content, seal) = Self.split(line),
      key.code(of: latest + content).digits.elementsEqual(seal)
    else { return false }
    latest = Array(seal)
    return true
  }

  /// A line before it was sealed, without its end, and its seal; nil without a seal.
  private static func split(
    _ line: ArraySlice<UInt8>
  ) -> (content: ArraySlice<UInt8>, seal: ArraySlice<UInt8>)? {
    let rest = line.dropLast(closing.count)
    let content = rest.dropLast(digits + opening.count)
    guard line.suffix(closing.count).elementsEqual(closing),
      rest.dropLast(digits).suffix(opening.count).elementsEqual(opening)
    else { return nil }
    return (content, rest.suffix(digits))
  }
}
