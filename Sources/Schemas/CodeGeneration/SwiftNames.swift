// Swift names for the names in a schema: ASCII, in Swift's case, unique, and never reserved by Swift.

/// The names of one scope.
struct SwiftNames {
  /// The names that a generated type would shadow.
  static let takenTypes: Set<String> = [
    "Any", "AnyObject", "Array", "Bool", "CaseIterable", "Codable", "CodingKey", "CodingKeys",
    "Data", "Date", "Decodable", "Decoder", "DecodingError", "Dictionary", "Double", "Encodable",
    "Encoder", "Equatable", "Error", "Foundation", "Hashable", "Int", "Never", "Optional",
    "Protocol", "RawRepresentable", "Self", "Sendable", "String", "Swift", "Type", "UInt64", "UUID",
    "Void",
  ]
  /// The names that enumerations declare themselves, or that are confused with a case of an optional.
  static let takenCases: Set<String> = ["allCases", "none", "self", "some"]
  /// The names that properties cannot have, even in backticks.
  static let takenProperties: Set<String> = ["self"]

  private static let longest = 40
  /// The names that Swift reserves.
  private let reserved: Set<String>
  private var taken: Set<String>
  /// How often each name was requested.
  private var numbers: [String: Int] = [:]

  init(taken: Set<String>) {
    reserved = taken
    self.taken = taken
  }

  /// A name that begins in lower case: `localizedName` for `LocalizedName`, `id` for `ID`.
  mutating func lower(_ text: String, fallback: String) -> String {
    let words = Self.words(text)
    guard let first = words.first else { return unique(fallback) }
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return unique(Self.startingWithLetter(Self.lowered(first) + rest, prefix: fallback))
  }

  /// A name that begins with a capital.
  mutating func upper(_ text: String, fallback: String) -> String {
    let words = Self.words(text).map { $0.prefix(1).uppercased() + $0.dropFirst() }
    guard !words.isEmpty else { return unique(fallback) }
    return unique(Self.startingWithLetter(words.joined(), prefix: fallback))
  }

  private mutating func unique(_ name: String) -> String {
    var stem = String(name.prefix(Self.longest))
    // A name that Swift reserves gets another word; a name that the schema repeats gets a number.
    if reserved.contains(stem) { stem += "Value" }
    var name = stem
    while !taken.insert(name).inserted {
      numbers[stem, default: 1] += 1
      name = "\(stem)\(numbers[stem, default: 1])"
    }
    return name
  }

  /// Runs of ASCII letters and digits; swift-format wants names without underscores.
  private static func words(_ text: String) -> [String] {
    text.unicodeScalars.split {
      !$0.isASCII || !($0.properties.isAlphabetic || ("0"..."9").contains($0))
    }.map { String(Substring($0)) }
  }

  /// A word with its leading capitals in lower case, except the one that begins its next word: `urlString`.
  private static func lowered(_ word: String) -> String {
    let capitals = word.prefix { $0.isUppercase }.count
    let next = word.dropFirst(capitals).first
    let count = capitals > 1 && next?.isLowercase == true ? capitals - 1 : capitals
    return word.prefix(count).lowercased() + word.dropFirst(count)
  }

  private static func startingWithLetter(_ name: String, prefix: String) -> String {
    name.first?.isNumber == true ? prefix + name : name
  }
}
