// Names for definitions, from the names of members and classes.

/// The names of `$defs`, each once.
struct DefinitionNames {
  private var taken: Set<String> = []
  /// How often each name was asked for.
  private var numbers: [String: Int] = [:]

  /// A name for what members or a class of these names hold: `Measurement`, `ImperialOrMetric`.
  mutating func name(for names: Set<String>) -> String {
    let base = names.sorted().prefix(3).map { Self.capitalised($0) }
      .filter { !$0.isEmpty }.joined(separator: "Or")
    let stem = base.isEmpty ? "Shape" : base
    var name = stem
    while !taken.insert(name).inserted {
      numbers[stem, default: 1] += 1
      name = "\(stem)\(numbers[stem, default: 1])"
    }
    return name
  }

  /// ASCII letters and digits with a capital first, so that neither pointers nor URIs need escapes.
  private static func capitalised(_ name: String) -> String {
    let words = name.unicodeScalars.split { !$0.isASCII || !isWord($0) }
    let text = words.map { word -> String in
      let text = String(Substring(word))
      return text.prefix(1).uppercased() + text.dropFirst()
    }.joined()
    return String(text.prefix(60))
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
  }

  /// The name of one element of a list: `topCityWeathers` holds a `topCityWeather`.
  static func singular(_ name: String) -> String {
    if name.hasSuffix("ies"), name.count > 4 { return name.dropLast(3) + "y" }
    for ending in ["sses", "xes", "ches", "shes"] where name.hasSuffix(ending) {
      return String(name.dropLast(2))
    }
    if name.hasSuffix("s"), !name.hasSuffix("ss"), name.count > 3 { return String(name.dropLast()) }
    return name
  }
}
