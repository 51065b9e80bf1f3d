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
