// Generates lenses with few names, which match values with the same names more often than random bytes would.

import ArchiveBasics

/// Makes a lens file of one line from numbers.
struct FuzzLensMaking {
  static let names = ["a", "b", "c", "d"]

  var numbers: FuzzNumbers

  init(_ seed: UInt64) { numbers = FuzzNumbers(seed) }

  /// A lens, and behind its line a value; nil if they are longer than allowed.
  static func input(_ seed: UInt64, longest: Int) -> [UInt8]? {
    var making = FuzzLensMaking(seed)
    var value = FuzzValueMaking(making.numbers.next())
    let bytes = Array("\(making.file())\n\(value.file())".utf8)
    return bytes.count <= longest ? bytes : nil
  }

  private mutating func file() -> String {
    let direction = numbers.below(8) == 0 ? "\"direction\":\"forward\"," : ""
    let named = numbers.below(6) == 0 ? "\"lenses\":{\"x\":\(lens(1))}," : ""
    return "{\(direction)\(named)\"lens\":\(lens(0))}"
  }

  private mutating func lens(_ depth: Int) -> String {
    let count = numbers.below(3) == 0 ? 1 + numbers.below(4) : 1
    let operations = (0..<count).map { _ in operation(depth) }
    return "[\(operations.joined(separator: ","))]"
  }

  private mutating func operation(_ depth: Int) -> String {
    if depth < 3, numbers.below(4) == 0 {
      switch numbers.below(3) {
      case 0: return "{\"in\":{\(name()),\"lens\":\(lens(depth + 1))}}"
      case 1: return "{\"map\":{\(perhaps("by"))\"lens\":\(lens(depth + 1))}}"
      default: return "{\"when\":{\(condition())\(after()),\"lens\":\(lens(depth + 1))}}"
      }
    }
    switch numbers.below(20) {
    case 0: return "{\"rename\":{\(name("source")),\(name("destination"))}}"
    case 1: return "{\"copy\":{\(name("source")),\(name("destination"))}}"
    case 2: return "{\"add\":{\(name())\(standard())}}"
    case 3: return "{\"remove\":{\(name())\(standard())}}"
    case 4: return "{\"hoist\":{\(name("host")),\(name())\(flag("prune"))}}"
    case 5: return "{\"plunge\":{\(name("host")),\(name())\(flag("create"))}}"
    case 6: return "{\"wrap\":{\(last("name"))}}"
    case 7: return "{\"head\":{\(last("name"))}}"
    case 8: return "{\"class\":{\(perhaps("name"))\"from\":\"Thing\",\"to\":\"Other\"}}"
    case 9: return "{\"store\":{\(name()),\"as\":\"\(numbers.one(of: ["inline", "boxed"]))\"}}"
    case 10: return "{\"default\":{\(name()),\"value\":\(FuzzValueMaking.scalar(&numbers))}}"
    case 11:
      return "{\"nullable\":{\(name()),\"null\":\"\(numbers.one(of: ["absent", "present"]))\"}}"
    case 12, 13:
      let word = numbers.one(of: ["split", "join"])
      return "{\"\(word)\":{\(perhaps("name"))\"separator\":\"\(numbers.one(of: [",", " "]))\"}}"
    case 14: return "{\"nest\":{\(perhaps("name"))\(name("as"))}}"
    case 15: return "{\"pluck\":{\(perhaps("name"))\(name("as"))}}"
    case 16: return "{\"\(numbers.one(of: ["group", "ungroup"]))\":{\(grouping())}}"
    case 17: return "{\"use\":\"x\"}"
    default: return "{\"convert\":{\(perhaps("name"))\(conversion())}}"
    }
  }

  // MARK: Arguments

  private mutating func name(_ argument: String = "name") -> String {
    "\"\(argument)\":\"\(numbers.one(of: Self.names))\""
  }

  /// A name that may be left out, before others.
  private mutating func perhaps(_ argument: String) -> String {
    numbers.below(2) == 0 ? name(argument) + "," : ""
  }

  private mutating func last(_ argument: String) -> String {
    numbers.below(3) > 0 ? name(argument) : ""
  }

  private mutating func flag(_ argument: String) -> String {
    numbers.below(2) == 0 ? ",\"\(argument)\":true" : ""
  }

  private mutating func standard() -> String {
    switch numbers.below(4) {
    case 0: ""
    case 1: ",\"default\":\(numbers.one(of: ["[]", "{}", "null", "{\"a\":1}", "[1,\"x\"]"]))"
    default: ",\"default\":\(FuzzValueMaking.scalar(&numbers))"
    }
  }

  private mutating func grouping() -> String {
    if numbers.below(2) == 0 { return perhaps("name") + name("by") }
    return "\(name("keys")),\(name("values")),\(name("into"))"
  }

  private mutating func condition() -> String {
    if numbers.below(2) == 0 {
      return "\(name("member")),\"present\":\(numbers.below(2) == 0)"
    }
    return "\(name("member")),\"equals\":\(FuzzValueMaking.scalar(&numbers))"
  }

  private mutating func after() -> String {
    numbers.below(2) == 0 ? ",\"after\":{\(condition())}" : ""
  }

  private mutating func conversion() -> String {
    if numbers.below(3) == 0 {
      let pairs = (0...numbers.below(3)).map { _ in
        "[\(FuzzValueMaking.scalar(&numbers)),\(FuzzValueMaking.scalar(&numbers))]"
      }
      let otherwise = ["else", "elseBackward"].map { word in
        numbers.below(2) == 0 ? ",\"\(word)\":\(FuzzValueMaking.scalar(&numbers))" : ""
      }
      return "\"values\":[\(pairs.joined(separator: ","))]\(otherwise.joined())"
    }
    let types = ["integer", "real", "boolean", "string", "date", "data"]
    let format = numbers.one(of: [
      "iso8601", "unix", "unix-milliseconds", "reference", "rfc5322", "yyyy-MM-dd HH:mm",
    ])
    return "\"sourceType\":\"\(numbers.one(of: types))\""
      + ",\"destinationType\":\"\(numbers.one(of: types))\",\"format\":\"\(format)\",\"zone\":\"UTC\""
  }
}

extension FuzzNumbers {
  mutating func one(of words: [String]) -> String { words[below(words.count)] }
}
