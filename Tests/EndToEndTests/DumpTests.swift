// `archtool dump` and `info`, compared with the output of other programs.

import Foundation
import TestSupport
import Testing

@Suite struct DumpTests {
  /// Several threads write the JSON of a large text; that of the program as it is shipped may differ from that of tests.
  @Test(arguments: ["XML", "JSON"])
  func largeTextsAreTheirValues(_ format: String) throws {
    let rows = (0..<40_000).map { number in
      ["number": number, "text": "the text of \(number)", "list": [number, -number]]
        as [String: Any]
    }
    let data =
      format == "XML"
      ? try PropertyListSerialization.data(fromPropertyList: rows, format: .xml, options: 0)
      : try JSONSerialization.data(withJSONObject: rows)
    let bench = try Workbench()
    try bench.write(data, to: "large")
    let result = try bench.run("dump", "--format", "json", "large")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try TestArchives.json(result.output) == rows as NSArray)
  }

  @Test(arguments: TestArchives.all.filter { $0.valid == true && $0.version != "v0" })
  func jsonIsTheModelThatPlistlibReads(_ entry: ManifestEntry) throws {
    let result = try Program.run(arguments: ["dump", "--format", "json", entry.path])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try TestArchives.json(result.output) == TestArchives.expectedModel(entry.path))
  }

  @Test(arguments: TestArchives.valid(version: "v0"))
  func objectsAreTheirFieldsAndTheirClass(_ entry: ManifestEntry) throws {
    let result = try Program.run(arguments: ["dump", "--format", "json", entry.path])
    let object = try #require(try TestArchives.json(result.output) as? NSDictionary)
    let expected = try #require(try TestArchives.expectedModel(entry.path) as? NSDictionary)
    #expect(object["$class"] is String)
    #expect(object.count == expected.count + 1)
  }

  @Test(arguments: TestArchives.all)
  func everyFormOfDumpAndInfoSucceedsExactlyWhereTheArchiveIsSound(_ entry: ManifestEntry) throws {
    for form in [[], ["--format", "json"], ["--typed"], ["--depth", "1"], ["--compact"]] {
      let result = try Program.run(arguments: ["dump", entry.path] + form)
      #expect(result.status == (entry.decodable ? 0 : 65), "\(form)")
      #expect(result.errors.contains(": error: ") == (result.status != 0), "\(result.errors)")
      if result.status == 65 {
        #expect(result.errors.split(separator: "\n").count == 1)
        #expect([":", "@"].contains(result.errors.dropFirst(entry.path.count).first))
      }
    }
    let info = try Program.run(arguments: ["info", "--format", "json", entry.path])
    #expect(info.status == (entry.decodable ? 0 : 65))
    guard entry.decodable else { return }
    let reports = try #require(try TestArchives.json(info.output) as? [NSDictionary])
    #expect(reports.first?["encoding"] as? String == entry.encoding)
    #expect(reports.first?["envelope"] as? String == entry.envelope)
    let schema = reports.first?["schema"] as? NSDictionary
    #expect(schema?["family"] as? String == entry.family)
    #expect(schema?["version"] as? String == entry.version)
    #expect(schema?["isValid"] as? Bool == entry.valid)
  }

  @Test(arguments: [["keyed", "plist", "typedstream"]].flatMap { $0.flatMap(Corpus.files) })
  func noFileOfOtherProgramsDoesHarm(_ path: String) throws {
    let file = Corpus.root.appendingPathComponent(path).path
    for command in [["dump"], ["dump", "--typed"], ["dump", "--raw"], ["info"], ["validate"]] {
      let result = try Program.run(arguments: command + [file])
      #expect([0, 1, 65].contains(result.status), "\(command): \(result.status)")
      let mustFail = ["error", "bad", "circular"].contains { path.contains($0) }
      if mustFail { #expect(result.status == 65, "\(command)") }
      if path.hasPrefix("keyed/"), command != ["validate"] { #expect(result.status == 0) }
    }
  }

  /// plistlib finds the objects that nothing leads to; the trees and the JSON show each of them.
  @Test(
    arguments: TestArchives.all.filter { $0.decodable && $0.encoding == "binary property list" })
  func unreachableObjectsAreThoseThatPlistlibFinds(_ entry: ManifestEntry) throws {
    let script = """
      import plistlib, sys
      from plistlib import UID
      a = plistlib.load(open(sys.argv[1], "rb"))
      if not isinstance(a, dict) or "$objects" not in a: sys.exit()
      o = a["$objects"]
      def numbers(v):
          if isinstance(v, UID): return [v.data]
          items = v.values() if isinstance(v, dict) else v if isinstance(v, list) else []
          return [n for i in items for n in numbers(i)]
      def reach(start, seen):
          stack = [n for n in start if n not in seen]
          while stack:
              n = stack.pop()
              if n not in seen: seen.add(n); stack += numbers(o[n])
          return seen
      known = reach(numbers(a["$top"]), {0})
      rest = [n for n in range(len(o)) if n not in known]
      inner = {m for n in rest for m in numbers(o[n]) if m != n}
      found = []
      for some in ([n for n in rest if n not in inner], [n for n in rest if n in inner]):
          for n in some:
              if n not in known: reach([n], known); found.append(n)
      print(*sorted(found))
      """
    let python = try #require(Program.find("python3"))
    let file = TestArchives.root.appendingPathComponent(entry.path).path
    let judge = try Program.run(at: python, ["-c", script, file])
    #expect(judge.status == 0, "\(judge.errors)")
    let expected = judge.text.split(whereSeparator: { $0 == " " || $0 == "\n" }).compactMap {
      Int($0)
    }
    let json = try Program.run(
      arguments: ["dump", "--unreachable", "--format", "json", entry.path])
    #expect(json.status == 0, "\(json.errors)")
    let objects = try #require(try TestArchives.json(json.output) as? [NSDictionary])
    #expect(objects.compactMap { $0["object"] as? Int } == expected)
    #expect(objects.allSatisfy { $0["value"] != nil && $0["class"] != nil })
    let tree = try Program.run(arguments: ["dump", "--unreachable", entry.path])
    let names = tree.text.split(separator: "\n").compactMap { line -> Int? in
      line.first == "#" ? Int(line.dropFirst().prefix { $0 != ":" }) : nil
    }
    #expect(names == expected)
  }

  @Test func readsStandardInput() throws {
    let data = try Data(contentsOf: TestArchives.root.appendingPathComponent("Movie/v2"))
    let result = try Program.run(arguments: ["dump", "--format", "json", "-"], input: data)
    #expect(try TestArchives.json(result.output) == TestArchives.expectedModel("Movie/v2"))
  }

  @Test(arguments: [
    ["dump"], ["dump", "--format", "json"], ["dump", "-o", "out"], ["info"], ["validate"],
    ["migrate", "--from", "v2", "--to", "v1", "-o", "-"],
  ])
  func warnsOfANewlineBehindTheArchiveAndGoesOn(_ command: [String]) throws {
    let folder = try TemporaryFolder()
    var data = try Data(contentsOf: TestArchives.root.appendingPathComponent("Movie/v2"))
    data.append(0x0A)
    try data.write(to: folder.file("Movie"))
    let result = try Program.run("archtool", command + ["Movie"], in: folder.url)
    #expect(result.status == 0, "\(result.errors)")
    if command[0] != "migrate" {
      #expect(result.errors.hasPrefix("Movie@"))
      #expect(result.errors.contains("warning: 1 byte is unused"))
    }
    let quiet = try Program.run(
      "archtool",
      [command[0], "-q"] + command.dropFirst()
        + ["-f", "Movie"].suffix(command.contains("-o") ? 2 : 1), in: folder.url)
    #expect(quiet.status == 0, "\(quiet.errors)")
    // A warning is no note: it stays.
    #expect(quiet.errors.contains("warning") == (command[0] != "migrate"), "\(quiet.errors)")
  }

  @Test func treesOfSeveralFilesHaveAnEmptyLineBetween() throws {
    let files = ["Movie/v1", "Movie/v2", "Movie/v1"]
    let trees = try files.map { try Program.run(arguments: ["dump", $0]).text }
    let all = try Program.run(arguments: ["dump"] + files)
    let expected = zip(files, trees).map { "\($0):\n\($1)" }.joined(separator: "\n")
    #expect(all.text == expected)
    let json = try Program.run(arguments: ["dump", "--compact"] + files).text
    #expect(!json.contains("\n\n"))
  }

  @Test func rawShowsTheObjectTable() throws {
    let result = try Program.run(arguments: ["dump", "--raw", "--format", "json", "Movie/v2"])
    let stored = try #require(try TestArchives.json(result.output) as? NSDictionary)
    #expect(stored["$top"] as? NSDictionary == ["root": ["$uid": 1]])
    #expect((stored["$objects"] as? [Any])?.count == 2)
  }

  @Test func dataStaysDataWithoutNesting() throws {
    let result = try Program.run(arguments: [
      "dump", "--no-nested", "--format", "json", "Movie/v2",
    ])
    #expect(try TestArchives.json(result.output) is NSString)
  }

  @Test func everyArchiveWithinArchivesIsShown() throws {
    let result = try Program.run(arguments: ["dump", "--format", "json", "Graphs/deep-nesting"])
    var value = try TestArchives.json(result.output) as? NSDictionary
    for level in 1...4 {
      #expect(value?["level"] as? Int == level)
      value = value?["inside"] as? NSDictionary
    }
  }

  // MARK: Shared values written once

  @Test(arguments: TestArchives.all.filter(\.decodable).map(\.path))
  func referencesLeadToWhatIsRepeatedWithoutThem(_ file: String) throws {
    let plain = try Program.run(arguments: ["dump", "--format", "json", file])
    // What contains itself cannot be repeated.
    if plain.text.contains("\"$ref\"") { return }
    let referring = try Program.run(arguments: ["dump", "--references", file])
    let json = try #require(try TestArchives.json(referring.output))
    #expect(Self.repeated(json, Self.identified(in: json)) == (try TestArchives.json(plain.output)))
  }

  @Test(arguments: Corpus.files("nibs").filter { $0.hasSuffix(".nib") })
  func jsonOfANibIsNoLargerThanItsGraph(_ file: String) throws {
    let path = try #require(Corpus.file(file)).path
    let json = try Program.run(arguments: ["dump", "--references", "--compact", path])
    let value = try #require(try TestArchives.json(json.output))
    let identified = Self.identified(in: value)
    #expect(Self.references(in: value).isSubset(of: identified.keys))
    #expect(json.text.components(separatedBy: "\"$id\"").count == identified.count + 1)
    // Typed JSON has each object once.
    let typed = try Program.run(arguments: ["dump", "--typed", "--compact", path])
    #expect(json.output.count <= typed.output.count)
  }

  @Test func longTextsAndDataThatAreSharedAreWrittenOnce() throws {
    let (text, bytes) = (String(repeating: "long ", count: 100), Data(repeating: 0, count: 300))
    let data = bytes.base64EncodedString()
    let values = ["<string>\(text)</string>", "<data>\(data)</data>", "<string>short</string>"]
    let list = (0..<9).map { Self.uid(2 + $0 % 3) }
    let archive = Self.archive([Self.record("NSArray")] + values + [Self.list(list, class: 1)])
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("shared")
    try Data(archive.utf8).write(to: file)
    let json = try Program.run(arguments: ["dump", "--references", file.path])
    #expect(json.text.components(separatedBy: text).count == 2)
    #expect(json.text.components(separatedBy: data).count == 2)
    #expect(json.text.components(separatedBy: "\"short\"").count == 4)
    let content = try #require(try TestArchives.json(json.output))
    let plain = try Program.run(arguments: ["dump", "--format", "json", file.path])
    let repeated = Self.repeated(content, Self.identified(in: content))
    #expect(repeated == (try TestArchives.json(plain.output)))
  }

  /// Views of which each leads to the next are a chain depth first, although none is far from the root.
  @Test(arguments: [[], ["--format", "json"], ["--references"], ["--depth", "3"]])
  func aChainOfObjectsIsShownWhereEachIsNearestToTheRoot(_ options: [String]) throws {
    let count = 2_000
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("views")
    try Data(Self.views(count).utf8).write(to: file)
    let result = try Program.run(arguments: ["dump"] + options + [file.path])
    #expect(result.status == 0)
    #expect(result.output.count < 1_000 * count)
    for number in [0, 1, 1_000, count - 1] {
      #expect(result.text.components(separatedBy: "\"view \(number)\"").count == 2)
    }
    guard options.first == "--references" || options.last == "json" else { return }
    let json = try #require(try TestArchives.json(result.output))
    let identified = Self.identified(in: json)
    #expect(Self.references(in: json).isSubset(of: identified.keys))
    #expect(identified.values.filter { $0["title"] != nil }.count == count)
    #expect(Self.depth(of: json) < 10)
  }

  /// A list of objects that refer to the next one each, and to the first.
  private static func views(_ count: Int) -> String {
    let views = (0..<count).map {
      "<dict><key>$class</key>\(uid(1))<key>next</key>\(uid(3 + ($0 + 1) % count))<key>super</key>"
        + "\(uid(3))<key>title</key><string>view \($0)</string></dict>"
    }
    let all = list((0..<count).map { uid(3 + $0) }, class: 2)
    return archive([record("View"), record("NSArray")] + views + [all])
  }

  private static func uid(_ number: Int) -> String {
    "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
  }

  private static func record(_ name: String) -> String {
    "<dict><key>$classname</key><string>\(name)</string><key>$classes</key><array><string>\(name)"
      + "</string><string>NSObject</string></array></dict>"
  }

  private static func list(_ elements: [String], class number: Int) -> String {
    "<dict><key>$class</key>\(uid(number))<key>NS.objects</key><array>\(elements.joined())</array></dict>"
  }

  /// An archive in XML of objects from number 1 on, the last of which is the root.
  private static func archive(_ objects: [String]) -> String {
    "<plist version=\"1.0\"><dict><key>$version</key><integer>100000</integer><key>$archiver</key>"
      + "<string>NSKeyedArchiver</string><key>$top</key><dict><key>root</key>\(uid(objects.count))</dict>"
      + "<key>$objects</key><array><string>$null</string>\(objects.joined())</array></dict></plist>"
  }

  private static func depth(of json: NSObject) -> Int {
    (children(of: json).map { depth(of: $0) }.max() ?? 0) + 1
  }

  private static func children(of json: NSObject) -> [NSObject] {
    let all = (json as? NSDictionary)?.allValues ?? json as? [Any] ?? []
    return all.compactMap { $0 as? NSObject }
  }

  private static func identified(in json: NSObject) -> [String: NSDictionary] {
    var found: [String: NSDictionary] = [:]
    for child in children(of: json) { found.merge(identified(in: child)) { first, _ in first } }
    if let object = json as? NSDictionary, let name = object["$id"] as? String {
      found[name] = object
    }
    return found
  }

  private static func references(in json: NSObject) -> Set<String> {
    let own = (json as? NSDictionary)?["$ref"] as? String
    return children(of: json).reduce(into: Set(own.map { [$0] } ?? [])) {
      $0.formUnion(references(in: $1))
    }
  }

  /// The value with what is referred to in each place.
  private static func repeated(_ json: NSObject, _ all: [String: NSDictionary]) -> NSObject {
    if let list = json as? [NSObject] { return list.map { repeated($0, all) } as NSArray }
    guard let object = json as? [String: NSObject] else { return json }
    if let name = object["$ref"] as? String {
      return all[name].map { repeated($0, all) } ?? NSNull()
    }
    if object["$id"] != nil, let value = object["$array"] ?? object["$value"] {
      return repeated(value, all)
    }
    return object.filter { $0.key != "$id" }.mapValues { repeated($0, all) } as NSDictionary
  }
}
