// `--records` of every command: what is compared with files, and lines that are no records.

import ArchiveBasics
import Foundation
import TestSupport
import Testing

// One after another: a program that is started while another's pipes are open may inherit them, and keep them open.
@Suite(.serialized) struct RecordTests {
  @Test(arguments: ["dump", "ways", "plists", "searches", "facts", "conversions"])
  func agreesWithTheCommandOnTheFile(_ scenario: String) throws {
    let script = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("Tests/Judges/records.py").path
    let result = try Program.run(
      at: URL(fileURLWithPath: "/usr/bin/env"),
      ["python3", script, Program.folder + "/archtool", TestArchives.root.path, scenario],
      environment: ["PYTHONDONTWRITEBYTECODE": "1"])
    #expect(result.status == 0, "\(result.text) \(result.errors)")
  }

  private static let good = Data("{a=1;}".utf8).base64EncodedString()
  private static let value = #"{"a":"1"}"#

  /// What a line is answered: `DATA` stands for the Base64 of an archive.
  private func answers(
    _ lines: String, _ options: [String] = [], command: [String] = ["dump"]
  ) throws -> (answers: [String], status: Int32, errors: String) {
    let input = Data(lines.replacing("DATA", with: Self.good).utf8)
    let line = [command[0]] + (options.isEmpty ? ["--records"] : options) + command.dropFirst()
    let result = try Workbench().run(line, input: input)
    let answers = result.text.split(separator: "\n").map { answer in
      String(answer).replacing(Self.good, with: "DATA")
    }
    return (answers, result.status, result.errors)
  }

  @Test(arguments: [
    (#"{"data":"DATA"}"#, #"{"id":null,"outcome":"shown","value":\#(value)}"#),
    (#" { "id" : 7, "data":"DATA" } "#, #"{"id":7,"outcome":"shown","value":\#(value)}"#),
    (
      #"{"n":1.50,"data":"DATA","\u0061":"\/"}"#,
      #"{"id":null,"outcome":"shown","value":\#(value),"n":1.50,"\u0061":"\/"}"#
    ),
    // Own members whose names the answer uses.
    (
      #"{"value":1,"outcome":2,"data":"DATA","results":3}"#,
      #"{"id":null,"outcome":"shown","value":\#(value),"results":3,"record":{"value":1,"outcome":2}}"#
    ),
    (
      #"{"data":"DATA","lost":{"a": 1}}"#,
      #"{"id":null,"outcome":"shown","lost":{"a": 1},"value":\#(value)}"#
    ),
  ])
  func showsTheValueWithTheOtherMembers(line: String, answer: String) throws {
    for end in ["", "\n", "\r\n"] {
      let result = try answers(line + end)
      #expect(result.answers == [answer])
      #expect(result.status == 0 && result.errors == "")
    }
  }

  @Test(arguments: [
    ("", "mismatch", "the line is blank"),
    (" \t\r", "mismatch", "the line is blank"),
    ("x", "malformed", "not JSON: a JSON value is expected here"),
    ("DATA", "malformed", "not JSON: a JSON value is expected here"),
    ("null", "mismatch", "a record is a JSON object"),
    ("[{}]", "mismatch", "a record is a JSON object"),
    ("{}", "mismatch", "the record has no member 'data'; --data-key names another one"),
    (#"{"data":1}"#, "mismatch", "'data' must be a string in Base64"),
    (#"{"data":"???"}"#, "malformed", "'data' is not Base64"),
    (#"{"data":"{a"}"#, "malformed", "'data' is not Base64"),
    (
      #"{"data":"62706c6973743030"}"#, "mismatch",
      "'data' is hexadecimal, which --records=hex reads"
    ),
    (
      #"{"data":"\\x62706C6973743030"}"#, "mismatch",
      "'data' is hexadecimal, which --records=hex reads"
    ),
    ("{\"data\":\"DATA\0\"}", "malformed", nil), ("\0", "malformed", nil),
    (#"{"data":"DATA""#, "truncated", nil), (#"{"data":"DATA"}}"#, "malformed", nil),
  ])
  func answersALineThatIsNoRecordWithItsNumber(
    line: String, code: String, message: String?
  ) throws {
    let good = #"{"id":1,"data":"DATA"}"#
    let result = try answers("\(good)\n\(line)\n\(good)\n")
    try #require(result.answers.count == 3, "\(result.errors)")
    #expect(result.status == 1 && result.errors == "")
    for answer in [result.answers[0], result.answers[2]] {
      #expect(answer == #"{"id":1,"outcome":"shown","value":\#(Self.value)}"#)
    }
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(result.answers[1].utf8)) as? [String: Any])
    let error = try #require(object["error"] as? [String: Any])
    #expect(object["outcome"] as? String == "failed" && object["line"] as? Int == 2)
    #expect(error["code"] as? String == code)
    if let message { #expect(error["message"] as? String == message) }
  }

  @Test(arguments: [
    ("DATA", ["--records=base64"], nil), (" DATA\t", ["--records=base64"], nil),
    (#"{"data":"DATA"}"#, ["--records=base64"], nil),
    (#"{"data":"DATA"}"#, ["--records=json"], nil),
    (#"{"x":"DATA"}"#, ["--records", "--data-key", "x"], nil),
    (#"{"x":"DATA","data":0}"#, ["--data-key=x", "--records"], nil),
    (#"{"":"DATA"}"#, ["--records", "--data-key", ""], "status"),
    ("7b613d313b7d", ["--records=hex"], nil), ("0x7B613D313B7D", ["--records=hex"], nil),
    (#"{"data":"\\x7b613d313b7d"}"#, ["--records=hex"], nil),
    ("DATA", ["--records=hex"], "the line is not hexadecimal"),
    ("7b6", ["--records=hex"], "the line is not hexadecimal"),
    (#"{"data":"7b 61"}"#, ["--records=hex"], "'data' is not hexadecimal"),
    ("?", ["--records=base64"], "the line is not Base64"),
    ("[1]", ["--records=base64"], "the line is not Base64"),
    (#"{"x":"DATA"}"#, ["--records", "--data-key", "y"], "the record has no member 'y'"),
  ])
  func readsOtherMembersAndDigits(line: String, options: [String], problem: String?) throws {
    let result = try answers(line, options)
    guard problem != "status" else { return #expect(result.status == 64) }
    try #require(result.answers.count == 1, "\(result.errors)")
    #expect(result.status == (problem == nil ? 0 : 1))
    #expect(result.answers[0].contains(problem ?? #""value":\#(Self.value)"#), "\(result.answers)")
  }

  @Test func showsTheErrorOfAnArchiveThatIsNotRead() throws {
    let cut = Data("bplist00\u{1}".utf8).base64EncodedString()
    let result = try answers(#"{"id":1,"data":"\#(cut)","n":2}"#)
    #expect(
      result.answers[0].hasPrefix(#"{"id":1,"outcome":"failed","error":{"code":"truncated","#)
        && result.answers[0].hasSuffix(#","n":2}"#), "\(result.answers)")
    #expect(!result.answers[0].contains(#""line""#))
    #expect(result.status == 1)
  }

  @Test(arguments: [
    (["get", "a"], #""found":true,"value":"1""#, 0), (["get", "b"], #""found":false"#, 1),
    (["get", "--default", "x", "b"], #""found":false,"value":"x""#, 0),
    (["get", "--type", "a"], #""found":true,"type":"string""#, 0),
    (["query", "$.a"], #""results":[{"path": "$['a']", "value": "1"}]"#, 0),
    (["query", "$.b"], #""results":[]"#, 1), (["query", "--count", "$.a"], #""count":1"#, 0),
    (["query", "--exists", "$.a"], #""found":true"#, 0),
    (["query", "--exists", "$.b"], #""found":false"#, 1),
    (["find", "--text", "1"], #""matches":[{"path": "$['a']", "value": "1"}]"#, 0),
    (["find", "--text", "2"], #""matches":[]"#, 1),
    (["find", "--count", "--text", "1"], #""count":1"#, 0),
    (["classes"], #""classes":[]"#, 0),
    (["convert", "--to", "json", "--compact"], #""data":"eyJhIjoiMSJ9Cg==""#, 0),
    (["dump", "--depth", "0"], #""value":"…""#, 0),
  ])
  func answersEachCommand(command: [String], part: String, status: Int32) throws {
    let result = try answers(#"{"id":1,"data":"DATA"}"#, command: command)
    try #require(result.answers.count == 1, "\(result.errors)")
    #expect(result.answers[0].contains(part), "\(result.answers)")
    #expect(result.status == status)
  }

  @Test(arguments: [
    ["dump", "--records", "--format", "tree"], ["dump", "--records", "--width", "4"],
    ["dump", "--records", "--hex", "$"],
    ["dump", "--records", "--compact"], ["dump", "--records", "-r"], ["dump", "--data-key", "x"],
    ["query", "--records"], ["find", "--records"], ["get", "--records"],
    ["convert", "--records"], ["convert", "--records", "--to", "json", "--output-dir", "x"],
    ["rename-class", "--records", "A=B", "--data-key", "rules"],
    ["info", "--records", "--format", "text"], ["classes", "--records", "--format", "allow-list"],
  ])
  func refusesWhatSaysNothingOfRecords(line: [String]) throws {
    #expect(try Workbench().run(line).status == 64)
  }

  /// Answers go to a file as they go to standard output, or not at all.
  @Test(arguments: [
    ["dump"], ["get", "a"], ["convert", "--to", "xml1"], ["rename-class", "-c", "A=B"],
    ["migrate", "--to", "v2"],
  ])
  func writesAnswersToAFile(command: [String]) throws {
    let bench = try Workbench(["f": #"{"id":1,"data":"eyJhIjoiMSJ9Cg=="}"# + "\nno record\n"])
    // What get is asked for comes last.
    let line = [command[0], "--records"] + command.dropFirst()
    let direct = try bench.run([line[0], line[1], "f"] + line.dropFirst(2))
    #expect(!direct.text.isEmpty)
    let written = try bench.run([line[0], line[1], "-o", "x", "f"] + line.dropFirst(2))
    #expect(written.status == direct.status && written.text.isEmpty, "\(written.errors)")
    #expect(written.errors.contains("of 2 records failed"), "\(written.errors)")
    #expect(try String(contentsOf: bench.url("x"), encoding: .utf8) == direct.text)
    let refused = try bench.run([line[0], line[1], "-o", "x", "f"] + line.dropFirst(2))
    #expect(refused.status == 73 && refused.errors.contains("--force"), "\(refused.errors)")
  }

  /// Answers are lines of JSON, by either name.
  @Test(arguments: [["dump"], ["query", "$.a"], ["find", "--text", "1"], ["classes"]])
  func takesTheNameOfItsFormat(command: [String]) throws {
    let input = #"{"id":1,"data":"DATA"}"#
    let forms = try [[], ["--format", "json"], ["--format", "ndjson"]].map {
      try answers(input, command: command + $0).answers
    }
    #expect(forms[0].count == 1 && forms.allSatisfy { $0 == forms[0] }, "\(forms)")
  }

  @Test func linesOfDigitsAndLinesWithoutNamesAreSaid() throws {
    let bench = try Workbench([
      "lines": "7b613d313b7d\n7b613d313b7d\n", "bad": "7b613d313b7d\n62706c6973743030\n",
    ])
    let whole = try bench.run(["dump", "lines"])
    #expect(whole.status == 65 && whole.errors.contains("use --records=hex"), "\(whole.errors)")
    let bad = try bench.run(["dump", "--records=hex", "bad"])
    #expect(bad.status == 1 && bad.text.contains(#""line":2"#), "\(bad.text)")
  }

  @Test func readsFilesInOrderAndNamesThoseOfBadLines() throws {
    let bench = try Workbench([
      "a": #"{"id":1,"data":"\#(Self.good)"}"#,
      "b": "\n" + #"{"id":2,"data":"\#(Self.good)"}"# + "\n",
    ])
    let result = try bench.run("dump", "--records", "a", "none", "b", "a", ".")
    let lines = result.text.split(separator: "\n")
    #expect(lines.map { $0.prefix(8) } == [#"{"id":1,"#, #"{"id":nu"#, #"{"id":2,"#, #"{"id":1,"#])
    #expect(lines[1].contains(#""file":"b","line":1,"#))
    #expect(result.errors.contains("none: error: cannot open the file"))
    #expect(result.errors.contains(".: error: is a folder; records are lines of a file"))
    #expect(result.status == 66)
  }

  @Test(arguments: [("data", ""), ("archive", " --data-key archive"), ("a b", " --data-key 'a b'")])
  func namesTheOptionForAFileOfRecords(key: String, option: String) throws {
    let data = try Workbench.archive("Movie/v1").base64EncodedString()
    let line = #"{"id":1,"\#(key)":"\#(data)"}"# + "\n"
    let bench = try Workbench(["f": line + line])
    for command in [["dump", "f"], ["get", "f", "a"], ["query", "$", "f"], ["info", "f"]] {
      let result = try bench.run(command)
      #expect(result.errors == "f: error: is JSON lines; use --records\(option)\n")
      #expect(result.status == 65)
    }
  }

  @Test func readsLinesOfManyMegabytes() throws {
    var list = "("
    for number in 0..<1_000_000 { list += "\(number)," }
    let data = Data((list + ")").utf8).base64EncodedString()
    let line = #"{"id":1,"data":"\#(data)"}"# + "\n"
    let bench = try Workbench(["f": line + line])
    let result = try bench.run("query", "--records", "--count", "$.*", "f")
    let answer = #"{"id":1,"outcome":"shown","count":1000000}"# + "\n"
    #expect(result.text == answer + answer)
  }

  @Test func givesTheBytesOfDataInBase64() throws {
    let movie = try Workbench.archive("Movie/v1")
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["a": movie], format: .binary, options: 0)
    let line = #"{"data":"\#(list.base64EncodedString())"}"#
    for (options, value) in [
      (["--bytes"], "\"\(movie.base64EncodedString())\""), ([], #"{"director":"James Cameron","#),
    ] {
      let result = try answers(line, command: ["get"] + options + ["a"])
      #expect(result.answers[0].contains(#""found":true,"value":"# + value))
    }
  }

  @Test func tellsWhatIsLostOfADamagedArchive() throws {
    let whole = try Workbench.archive("Movie/v1")
    let data = whole.prefix(whole.count - 20).base64EncodedString()
    let result = try answers(#"{"id":1,"data":"\#(data)"}"#, command: ["dump", "--recover"])
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(result.answers[0].utf8)) as? [String: Any])
    #expect(object["outcome"] as? String == "failed")
    #expect(object["value"] != nil && object["error"] != nil)
  }
}
