// Opens archives with Foundation alone, as the app that wrote them would, and prints their values as JSON.
// It is a separate program, since Foundation on Linux ends the process on some archives.
//
// usage: FoundationJudge codable WeatherFeed|Movie|Actor|Person|Shelf|BrowserTabs|Credentials FILE
//        FoundationJudge article one|list|read Movie|Actor|Person|WeatherFeed v1|v2|CLASS FILE
//        FoundationJudge shelf FILE
//        FoundationJudge app MODEL FILE
//        FoundationJudge credentials FILE
//        FoundationJudge price codable|json|dictionary FILE
//        FoundationJudge values write|nscoding|codable|json FILE
//        FoundationJudge dictionary FILE
//        FoundationJudge top KEY FILE

import Foundation

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data((message + "\n").utf8))
  exit(65)
}

func root(of path: String, key: String = NSKeyedArchiveRootObjectKey) throws -> Any {
  let data = try Data(contentsOf: URL(fileURLWithPath: path))
  let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
  unarchiver.requiresSecureCoding = false
  guard let root = unarchiver.decodeObject(forKey: key) else {
    fail("\(path): no object \(key)")
  }
  return root
}

/// Decodes one model, or a list of them, and prints it.
func show<Model: Codable>(_ type: Model.Type, _ data: Data) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys]
  let decoder = PropertyListDecoder()
  if let list = try? decoder.decode([Model].self, from: data) {
    print(String(decoding: try encoder.encode(list), as: UTF8.self))
  } else {
    let model = try decoder.decode(Model.self, from: data)
    print(String(decoding: try encoder.encode(model), as: UTF8.self))
  }
}

/// Prints a value that JSON can hold.
func show(_ value: Any) throws {
  let data = try JSONSerialization.data(
    withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
  print(String(decoding: data, as: UTF8.self))
}

let arguments = CommandLine.arguments
do {
  switch arguments.dropFirst().first {
  case "codable" where arguments.count == 4:
    let key = arguments[2] == "BrowserTabs" ? "tabs" : NSKeyedArchiveRootObjectKey
    guard let data = try root(of: arguments[3], key: key) as? Data else {
      fail("the root is no data")
    }
    switch arguments[2] {
    case "WeatherFeed": try show(WeatherFeed.self, data)
    case "Movie": try show(Movie.self, data)
    case "Actor": try show(Actor.self, data)
    case "Person": try show(PersonModel.self, data)
    case "Shelf": try show(ShelfModel.self, data)
    case "BrowserTabs": try show(CodedTab.self, data)
    case "Credentials": try show(CodedCredentials.self, data)
    default: fail("unknown model")
    }
  case "article" where arguments.count == 6:
    try Articles.run(arguments[3], arguments[2], arguments[4], arguments[5])
  case "shelf" where arguments.count == 3: try show(Library.facts(ofArchive: arguments[2]))
  case "app" where arguments.count == 4:
    guard let model = AppModel.all[arguments[2]] else { fail("unknown model \(arguments[2])") }
    try show(model.facts(ofArchive: arguments[3]))
  case "credentials" where arguments.count == 3:
    let data = try Data(contentsOf: URL(fileURLWithPath: arguments[2]))
    let encoded = try JSONEncoder().encode(CodedCredentials.decode(json: data))
    print(String(decoding: encoded, as: UTF8.self))
  case "price" where arguments.count == 4:
    try show(try Price.facts(of: arguments[3], as: arguments[2]))
  case "values" where arguments.count == 4:
    try FoundationValues.run(arguments[2], arguments[3])
  case "dictionary" where arguments.count == 3:
    try show(AppObject.plain(try root(of: arguments[2])))
  case "top" where arguments.count == 4: try show(try root(of: arguments[3], key: arguments[2]))
  default:
    fail(
      "usage: FoundationJudge codable MODEL FILE | app MODEL FILE | dictionary FILE | top KEY FILE")
  }
} catch {
  fail("\(error)")
}
