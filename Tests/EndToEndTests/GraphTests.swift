// `archtool graph`: pictures are well formed, and Graphviz draws them.

import Foundation
import TestSupport
import Testing

@Suite struct GraphTests {
  /// Python reads the XML; a picture of a sound archive is drawn, or refused for its size.
  @Test(.enabled(if: Program.find("python3") != nil), arguments: TestArchives.all)
  func graphmlOfEveryArchiveIsXML(_ entry: ManifestEntry) throws {
    let result = try Program.run(arguments: ["graph", "--format", "graphml", entry.path])
    #expect(result.status == (entry.decodable ? 0 : 65), "\(result.errors)")
    guard entry.decodable else { return }
    let python = try #require(Program.find("python3"))
    let check = """
      import sys, xml.etree.ElementTree as x
      g = x.fromstring(sys.stdin.buffer.read()).find('{*}graph')
      nodes = {n.get('id') for n in g.findall('{*}node')}
      assert all({e.get('source'), e.get('target')} <= nodes for e in g.findall('{*}edge'))
      """
    let read = try Program.run(at: python, ["-c", check], input: result.output)
    #expect(read.status == 0, "\(read.errors)")
  }

  @Test(
    .enabled(if: Program.find("dot") != nil),
    arguments: TestArchives.all.filter { $0.decodable && $0.path.hasPrefix("Graphs/") })
  func graphvizDrawsThem(_ entry: ManifestEntry) throws {
    let result = try Program.run(arguments: ["graph", "--format", "svg", entry.path])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.text.contains("<svg "))
  }

  /// What is refused for its size says what helps for this file, and how large it may be.
  @Test(arguments: [
    (
      ["--max-boxes", "3"], "[[],[],[],[]]", "5 boxes, and the limit is 3: --root and --depth show"
    ),
    (
      ["--classes", "--max-boxes", "1"], nil, "boxes, and the limit is 1: --root shows a part, and"
    ),
    (["--max-boxes", "1"], nil, "the limit is 1: --classes shows the classes, --collapse joins"),
  ])
  func aLargePictureSaysWhatHelps(_ options: [String], _ json: String?, _ message: String) throws {
    let bench = try Workbench(["f": json ?? ""])
    if json == nil { try bench.copy("TypedStreams/unknown-class", to: "f") }
    let result = try bench.run(["graph"] + options + ["f"])
    #expect(result.status == 1)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  /// The root is no class, and a picture without classes says so.
  @Test(arguments: [("Movie/v1", false), ("Movie/v0-nested-class", true)])
  func onlyClassesAreClasses(_ file: String, _ hasClasses: Bool) throws {
    let result = try Program.run(arguments: ["graph", "--classes", file])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.text.contains("label=\"class, with the number of its objects\"") == hasClasses)
    #expect(result.text.contains("label=\"where the picture begins\""))
    #expect(result.errors.contains("note: there are no classes") == !hasClasses, "\(result.errors)")
  }

  /// `BROWSER` as other programs read it: a list, and `%s` for the page.
  @Test(arguments: [
    ("SCRIPT", "1: PAGE"), ("SCRIPT --in %s", "2: --in PAGE"),
    ("no-such-browser %s:SCRIPT", "1: PAGE"), ("false %s:SCRIPT -n", "2: -n PAGE"),
  ])
  func aPageIsOpenedInTheFirstBrowserThatWorks(_ list: String, _ expected: String) throws {
    let bench = try Workbench(["f": "[[1]]", "browser": "#!/bin/sh\necho \"$#: $*\" >opened\n"])
    let script = bench.url("browser").path
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    let result = try bench.run(
      ["explore", "f"],
      environment: ["BROWSER": list.replacingOccurrences(of: "SCRIPT", with: script)])
    #expect(result.status == 0, "\(result.errors)")
    let page = result.text.trimmingCharacters(in: .newlines)
    defer { try? FileManager.default.removeItem(atPath: page) }
    let opened = try String(contentsOf: bench.url("opened"), encoding: .utf8)
    #expect(opened == expected.replacingOccurrences(of: "PAGE", with: page) + "\n")
  }

  @Test func mermaidFillsSharedObjects() throws {
    let result = try Program.run(
      arguments: ["graph", "--format", "mermaid", "WeatherFeed/v1-50-cities"])
    #expect(result.text.contains("classDef sharedObject fill:#e8f0fe,"))
  }

  /// Labels are texts, whatever Graphviz would do with a backslash or an entity.
  @Test(.enabled(if: Program.find("dot") != nil))
  func hostileTextsAreLabels() throws {
    let texts = ["</svg><script>", "\\N\\G\\l", "&lt;b&gt; &amp;", "\"quoted\"", "]]>", "{a|b}"]
    let bench = try Workbench()
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["texts": texts], format: .binary, options: 0)
    try bench.write(list, to: "texts")
    let result = try bench.run("graph", "--format", "svg", "texts")
    #expect(result.status == 0, "\(result.errors)")
    #expect(!result.text.contains("<script>"))
    let python = try #require(Program.find("python3"))
    let check =
      "import sys, xml.etree.ElementTree as x; sys.stdout.write(chr(10).join(t.text or '' for t in x.fromstring(sys.stdin.buffer.read()).iter('{http://www.w3.org/2000/svg}text')))"
    let shown = try Program.run(at: python, ["-c", check], input: result.output).text
      .replacingOccurrences(of: "\u{A0}", with: " ")
    for (index, text) in texts.enumerated() {
      let escaped = text.replacingOccurrences(of: "\\", with: "\\\\")
        .replacingOccurrences(of: "\"", with: "\\\"")
      #expect(shown.contains("[\(index)]: \"\(escaped)\""), "\(shown)")
    }
  }

  /// The page of an archive has each of its texts as JSON, and nothing that a browser takes for markup.
  @Test func textsOfAPageAreNoMarkup() throws {
    let bench = try Workbench()
    let text = "</script><script>alert(1)</script><!--"
    let list = try PropertyListSerialization.data(
      fromPropertyList: [text: text], format: .xml, options: 0)
    try bench.write(list, to: "texts")
    let page = try bench.run("graph", "--format", "html", "texts").text
    #expect(page.components(separatedBy: "<script").count == 4)
    #expect(page.components(separatedBy: "</script>").count == 4)
    #expect(page.contains("\\u003c/script>\\u003cscript>alert(1)"))
  }

  /// The policy admits the script and the style by their hashes, which sha256sum computes as well.
  @Test(.enabled(if: Program.find("python3") != nil)) func policyNamesTheHashes() throws {
    let page = try Program.run(arguments: ["graph", "--format", "html", "Graphs/cycle"])
    let check = """
      import base64, hashlib, re, sys
      page = sys.stdin.read()
      policy = re.search('Security-Policy" content="([^"]*)', page)[1]
      parts = re.findall('<style>(.*?)</style>', page, re.S) + re.findall('<script>(.*?)</script>', page, re.S)
      assert len(parts) == 2
      for part in parts:
          assert 'sha256-' + base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() in policy
      """
    let python = try #require(Program.find("python3"))
    let result = try Program.run(at: python, ["-c", check], input: page.output)
    #expect(result.status == 0, "\(result.errors)")
  }
}
