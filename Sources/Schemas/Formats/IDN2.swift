// libidn2, loaded when the first internationalized name is checked; CIDN2 provides its constants at build time.

import Basics
internal import CIDN2

/// The functions of libidn2 that are used.
struct IDN2: @unchecked Sendable {
  private typealias Bytes = UnsafePointer<UInt8>
  private typealias Register =
    @convention(c) (Bytes?, Bytes?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, Int32)
    -> Int32
  private typealias Decode =
    @convention(c) (
      UnsafePointer<CChar>?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, Int32
    ) -> Int32

  private let register: Register
  private let decode: Decode

  /// The library; nil if it is not installed.
  static let loaded = IDN2()

  #if canImport(Darwin)
    static let fileName = "libidn2.0.dylib"
  #else
    static let fileName = "libidn2.so.0"
  #endif

  private init?() {
    guard let library = SharedLibrary(linux: Self.fileName, darwin: Self.fileName),
      let register: Register = library.function("idn2_register_u8"),
      let decode: Decode = library.function("idn2_to_unicode_8z8z")
    else { return nil }
    self.register = register
    self.decode = decode
  }

  /// The A-label of a label that is not ASCII; nil if IDNA2008 has no such label.
  ///
  /// Registration (RFC 5891, section 4) is strict: it checks NFC, hyphens, a leading mark, the categories of all code
  /// points, their contextual rules (RFC 5892, appendix A), and the Bidi rule in the label.
  ///
  /// - Parameter normalizes: whether the label is converted to NFC first.
  func asciiLabel(of label: String, normalizes: Bool) -> String? {
    // The library would treat a zero byte as the end of the label.
    guard !label.utf8.contains(0) else { return nil }
    let flags = normalizes ? Int32(IDN2_NFC_INPUT.rawValue) : 0
    var output: UnsafeMutablePointer<UInt8>?
    let result = withUTF8(of: label) { register($0, nil, &output, flags) }
    defer { free(output) }
    guard result == IDN2_OK.rawValue, let output else { return nil }
    return String(cString: output)
  }

  /// The U-label of an A-label in lower case; nil if it is not an A-label (RFC 5890, 2.3.2.1).
  func unicodeLabel(of label: String) -> String? {
    var registered: UnsafeMutablePointer<UInt8>?
    let result = withUTF8(of: label) { register(nil, $0, &registered, 0) }
    free(registered)
    guard result == IDN2_OK.rawValue else { return nil }
    var decoded: UnsafeMutablePointer<CChar>?
    let status = label.withCString { decode($0, &decoded, 0) }
    defer { free(decoded) }
    guard status == IDN2_OK.rawValue, let decoded else { return nil }
    return String(cString: decoded)
  }

  private func withUTF8(of text: String, _ body: (UnsafePointer<UInt8>?) -> Int32) -> Int32 {
    text.withCString { start in
      start.withMemoryRebound(to: UInt8.self, capacity: text.utf8.count + 1) { body($0) }
    }
  }
}
