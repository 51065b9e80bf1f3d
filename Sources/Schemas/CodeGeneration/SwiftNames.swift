// Swift names for what schemas name: ASCII, in Swift's case, each once, and none that Swift takes.

/// The names of one scope.
struct SwiftNames {
  /// What a generated type would hide from those beside it.
  static let takenTypes: Set<String> = [
    "Any", "AnyObject", "Array", "Bool", "CaseIterable", "Codable", "CodingKey", "CodingKeys",
    "Data", "Date", "Decodable", "Decoder", "DecodingError", "Dictionary", "Double", "Encodable",
    "Encoder", "Equatable", "Error", "Foundation", "Hashable", "Int", "Never", "Optional",
    "Protocol", "RawRepresentable", "Self", "Sendable", "String", "Swift", "Type", "UInt64", "UUID",
    "Void",
  ]
  /// What enumerations declare themselves, or what a case of an optional is mistaken for.
  static let takenCases: Set<String> = ["allCases", "none", "self", "some"]
  /// What properties cannot be called, even in backticks.
  static let takenProperties: Set<String> = ["self"]

  private static let longest = 40
  /// The names that Swift takes.
  private let reserved: Set<String>
  private var taken: Set<String>
  /// How often each name was asked for.
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
    // What Swift takes gets another word, what the schema itself has twice a number.
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

  /// The capitals that a word begins with in lower case, but for the one that begins its next word: `urlString`.
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
