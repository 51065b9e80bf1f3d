// Invalid keyed archives: missing parts, dangling UIDs, class references that are not classes.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct KeyedHostileTests {
  /// An XML keyed archive of some parts; `#5` stands for a UID.
  private static func archive(
    top: String? = "<dict><key>root</key>#1</dict>", objects: String?, version: String = "100000"
  ) -> Data {
    var body = "<key>$archiver</key><string>NSKeyedArchiver</string>"
    body += "<key>$version</key><integer>\(version)</integer>"
    if let top { body += "<key>$top</key>\(top)" }
    if let objects { body += "<key>$objects</key>\(objects)" }
    let uid = try? NSRegularExpression(pattern: "#([0-9]+)")
    let text = uid?.stringByReplacingMatches(
      in: body, range: NSRange(body.startIndex..., in: body),
      withTemplate: "<dict><key>CF\\$UID</key><integer>$1</integer></dict>")
    return Data("<plist><dict>\(text ?? body)</dict></plist>".utf8)
  }

  private static let record =
    "<dict><key>$classname</key><string>NSDictionary</string><key>$classes</key><array/></dict>"

  @Test(arguments: [
    (
      "no $top", archive(top: nil, objects: "<array><string>$null</string></array>"),
      ArchiveError.Code.malformed
    ),
    ("$top is an array", archive(top: "<array/>", objects: "<array/>"), .malformed),
    ("no $objects", archive(objects: nil), .malformed),
    ("$objects is a string", archive(objects: "<string>x</string>"), .malformed),
    ("root beyond $objects", archive(objects: "<array><string>$null</string></array>"), .dangling),
    (
      "$class is a string",
      archive(
        objects:
          "<array><string>$null</string><dict><key>$class</key>#2</dict><string>x</string></array>"),
      .malformed
    ),
    (
      "more keys than objects",
      archive(
        objects:
          "<array><string>$null</string><dict><key>$class</key>#2<key>NS.keys</key><array>#0</array><key>NS.objects</key><array/></dict>\(record)</array>"
      ), .malformed
    ),
  ])
  func isRefused(_ name: String, _ data: Data, _ code: ArchiveError.Code) {
    do {
      _ = try readGraph(data)
      Issue.record("\(name) was read")
    } catch {
      #expect(error.code == code, "\(name): \(error)")
      #expect(error.offset != nil || error.path != nil)
    }
  }

  @Test func unknownClassesKeepAllTheirKeys() throws {
    let objects =
      "<array><string>$null</string><dict><key>$class</key>#2<key>a</key><integer>1</integer><key>$$b</key>#3</dict><dict><key>$classname</key><string>_TtCV3App5Movie10MovieClass</string></dict><string>x</string></array>"
    let graph = try readGraph(Self.archive(objects: objects))
    guard case .object(let index, let pairs) = graph.value(of: graph.root) else {
      Issue.record("no object")
      return
    }
    #expect(graph.classes[index].displayName == "App.Movie.MovieClass")
    #expect(pairs.count == 2)
    let keys = (0..<pairs.count).map {
      graph.keyText(of: graph.key(pairs, $0))?.unmangledKey.string
    }
    #expect(keys == ["a", "$b"])
  }

  @Test func readsTheOlderSpellingOfCollectionsInAnyOrder() throws {
    let objects =
      "<array><string>$null</string><dict><key>$class</key>#2<key>NS.object.1</key>#4<key>NS.object.0</key>#3</dict><dict><key>$classname</key><string>NSArray</string></dict><string>a</string><string>b</string></array>"
    let graph = try readGraph(Self.archive(objects: objects))
    #expect(graph.foundationObject(graph.root) == NSArray(array: ["a", "b"]))
  }

  @Test func aConditionalObjectThatNobodyEncodedIsNil() throws {
    let objects =
      "<array><string>$null</string><dict><key>$class</key>#2<key>delegate</key>#3</dict><dict><key>$classname</key><string>Thing</string></dict><string>$null</string></array>"
    let graph = try readGraph(Self.archive(objects: objects))
    #expect(graph.foundationObject(graph.root) == NSDictionary(dictionary: ["delegate": NSNull()]))
  }

  @Test func severalTopLevelKeysAreAllThere() throws {
    let graph = try readGraph(
      Self.archive(
        top: "<dict><key>first</key>#1<key>count</key><integer>42</integer></dict>",
        objects: "<array><string>$null</string><string>one</string></array>"))
    #expect(
      graph.foundationObject(graph.root)
        == NSDictionary(dictionary: ["first": "one", "count": 42]))
  }

  @Test(arguments: [1, 2, 3])
  func aCycleCannotBecomeCodable(_ length: Int) throws {
    let dictionaries = (1...length).map { number in
      "<dict><key>$class</key>#\(length + 1)<key>next</key>#\(number % length + 1)</dict>"
    }.joined()
    let graph = try readGraph(
      Self.archive(
        objects:
          "<array><string>$null</string>\(dictionaries)<dict><key>$classname</key><string>Link</string></dict></array>"
      ))
    let path = "$" + String(repeating: ".next", count: length)
    do {
      _ = try EnvelopeWriter.wrap(graph.root, of: graph, in: .codable, shape: NoHints())
      Issue.record("a cycle was written")
    } catch {
      #expect(error.code == .cycle)
      #expect(error.path?.description == path)
    }
  }
}
