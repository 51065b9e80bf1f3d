// `archtool scan` and `--archives-only`: what counts as an archive.

import Foundation
import TestSupport
import Testing

@Suite struct ScanTests {
  private static let wrapped = [
    "movie.base64", "movie.hex", "movie.pem", "movie.url", "profile.mobileconfig",
    "profile.mobileprovision", "signed.base64",
  ]

  /// Every file that dump decodes is found by scan.
  @Test(arguments: wrapped) func findsWrappedArchives(_ name: String) throws {
    let bench = try Workbench()
    try bench.copy("Wrapped/" + name, to: "d/" + name)
    let dumped = try bench.run("dump", "d/" + name)
    #expect(dumped.status == 0, "\(dumped.errors)")
    let result = try bench.run("scan", "--format", "ndjson", "d")
    #expect(result.status == 0, "\(result.errors)")
    let line = try #require(try TestArchives.json(result.output) as? NSDictionary)
    #expect(line["kind"] as? String == "file" && line["error"] == nil, "\(line)")
    let only = try bench.run("dump", "-r", "--archives-only", "d")
    #expect(only.text.contains(dumped.text), "\(only.errors)")
  }

  /// No cell that a spreadsheet opens is a formula (OWASP, CSV Injection); Python reads the names back.
  @Test(arguments: ["=1+1", "+1", "-1", "@SUM(1)", "\u{FF1D}1", "\t=1", " =1", "a;=1+1", "a"])
  func cellsAreNoFormulas(_ name: String) throws {
    let bench = try Workbench()
    try bench.copy("Movie/v1", to: "d/" + name)
    let script = "import csv, sys; print(list(csv.reader(sys.stdin))[1][1], end='')"
    var cells: [String] = []
    for options in [[], ["--csv-plain"]] {
      let result = try Program.run(
        "archtool", ["scan", "--format", "csv"] + options + ["--", name], in: bench.url("d"))
      #expect(result.status == 0, "\(result.errors)")
      if name.contains(";") { #expect(result.text.contains("\"\(name)\""), "\(result.text)") }
      cells.append(
        try Program.run(
          at: URL(fileURLWithPath: "/usr/bin/env"), ["python3", "-c", script], input: result.output
        ).text)
    }
    #expect(cells == [(name.hasPrefix("a") ? "" : "'") + name, name])
  }

  @Test func otherTextsAndSignaturesAreNone() throws {
    let bench = try Workbench()
    let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(count: 600)
    try bench.write(picture.base64EncodedData(), to: "d/picture")
    try bench.write("deadbeef0badcafe", to: "d/digits")
    // A signedData message (RFC 5652) around a text.
    let text = Data([0x04, 0x82, 0x01, 0x00]) + Data(repeating: 0x61, count: 256)
    let type = Data([0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02])
    try bench.write(
      Data([0x30, 0x82, 0x01, 0x13]) + type + Data([0xA0, 0x82, 0x01, 0x04]) + text,
      to: "d/letter")
    let result = try bench.run("scan", "d")
    #expect(result.status == 0 && result.text.hasPrefix("0 archives") || result.output.isEmpty)
    #expect(
      result.errors.contains("3 files passed over") || result.text.contains("3 files passed over"))
  }
}
