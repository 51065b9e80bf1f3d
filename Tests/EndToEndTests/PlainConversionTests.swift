// Archives as ordinary property lists, judged by plistlib, which knows nothing of archives.

import Foundation
import TestSupport
import Testing

@Suite struct PlainConversionTests {
  private static let archives = [
    "Movie/v1", "Movie/v0-mirror-class", "Actor/v1", "Person/v0-helper-class", "Person/v2",
    "WeatherFeed/v1-1-city", "WeatherFeed/v2-50-cities", "Graphs/shared-references",
    "TypedStreams/references",
  ]

  /// What `dump` shows as JSON is what another program reads from the property list.
  @Test(arguments: archives)
  func areWhatAnotherProgramReads(_ name: String) throws {
    let path = TestArchives.root.appendingPathComponent(name).path
    let plist = try Program.run(arguments: ["convert", "--plain", "--to", "xml", path])
    #expect(plist.status == 0, "\(plist.errors)")
    let json = try Program.run(arguments: ["dump", "--format", "json", path])
    let script = """
      import base64, datetime, json, plistlib, sys
      def plain(v):
          if isinstance(v, dict): return {k: plain(x) for k, x in v.items()}
          if isinstance(v, list): return [plain(x) for x in v]
          if isinstance(v, bytes): return base64.b64encode(v).decode()
          if isinstance(v, datetime.datetime): return v.isoformat() + "Z"
          return v
      print(plain(plistlib.load(sys.stdin.buffer)) == json.loads(sys.argv[1]))
      """
    let python = try #require(Program.find("python3"))
    let answer = try Program.run(at: python, ["-c", script, json.text], input: plist.output)
    #expect(answer.text == "True\n", "\(answer.errors) \(json.text.prefix(500))")
  }
}
