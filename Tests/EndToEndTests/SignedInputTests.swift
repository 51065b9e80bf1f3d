// Profiles signed by openssl: as DER, streamed in parts, and with PEM's armor.

import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Program.find("openssl") != nil)) struct SignedInputTests {
  private func signed(_ content: Data, _ options: [String], in folder: TemporaryFolder) throws
    -> Data
  {
    let openssl = try #require(Program.find("openssl"))
    let file = folder.file("content")
    try content.write(to: file)
    let (key, certificate) = (folder.file("key.pem").path, folder.file("cert.pem").path)
    let made = try Program.run(
      at: openssl,
      [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate,
        "-days", "2", "-subj", "/CN=archtool",
      ])
    try #require(made.status == 0, "\(made.errors)")
    let result = try Program.run(
      at: openssl,
      ["cms", "-sign", "-binary", "-signer", certificate, "-inkey", key, "-in", file.path] + options
    )
    try #require(result.status == 0, "\(result.errors)")
    return result.output
  }

  @Test(
    arguments: [
      (["-nodetach", "-outform", "DER"], "is signed (CMS); the signature is not checked\n"),
      (
        ["-nodetach", "-outform", "DER", "-stream"],
        "is signed (CMS); the signature is not checked; offsets refer to the 31,891 bytes that it holds\n"
      ),
      (
        ["-nodetach", "-outform", "PEM"],
        "is Base64, then signed (CMS); the signature is not checked"
      ),
    ])
  func showTheSameAsWhatTheyHold(_ options: [String], _ note: String) throws {
    let folder = try TemporaryFolder()
    let file = TestArchives.root.appendingPathComponent("WeatherFeed/v1-50-cities")
    let input = try signed(try Data(contentsOf: file), options, in: folder)
    let plain = try Program.run(arguments: ["dump", file.path])
    let result = try Program.run(arguments: ["dump", "-"], input: input)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.text == plain.text)
    #expect(result.errors.hasPrefix("<stdin>: " + note), "\(result.errors)")
    let validated = try Program.run(arguments: ["validate", "-"], input: input)
    #expect(validated.status == 0, "\(validated.errors)")
  }

  @Test func aSignatureAloneIsAnError() throws {
    let folder = try TemporaryFolder()
    let input = try signed(Data("content".utf8), ["-outform", "DER"], in: folder)
    let result = try Program.run(arguments: ["dump", "-"], input: input)
    #expect(result.status == 65)
    #expect(result.errors.contains("without the content that it signs"))
  }
}
