// What surrounds the bytes of an input: they are compressed, signed, or written as text.

import Basics

/// A form in which the bytes of a property list or archive are enclosed.
public enum Wrapping: String, Sendable, CaseIterable {
  /// gzip (RFC 1952).
  case gzip
  /// The content of a CMS signature (RFC 5652), which is not checked.
  case signature = "cms"
  /// Base64 (RFC 4648), also in a data URL or with the lines of PEM.
  case base64
  /// Hexadecimal digits.
  case hexadecimal

  /// What an input with it is.
  public var phrase: String {
    switch self {
    case .gzip: "gzip-compressed"
    case .signature: "signed (CMS)"
    case .base64: "Base64"
    case .hexadecimal: "hexadecimal"
    }
  }

  /// Its name in a sentence.
  public var noun: String {
    switch self {
    case .gzip: "compressed data"
    case .signature: "CMS message"
    case .base64: "Base64"
    case .hexadecimal: "hexadecimal text"
    }
  }

  /// How to get rid of it.
  public var remedy: String {
    switch self {
    case .gzip: "decompress it with gunzip first"
    case .signature: "convert writes its content without the signature"
    case .base64: "decode it with base64 -d first"
    case .hexadecimal: "decode it with xxd -r -p first"
    }
  }
}

extension ObjectGraph {
  /// What an input is beside its encoding, and which bytes offsets refer to; nil for an input without wrappings.
  public var wrappingNote: String? {
    guard !wrappings.isEmpty else { return nil }
    var text = "is " + wrappings.map(\.phrase).joined(separator: ", then ")
    if wrappings.contains(.signature) { text += "; the signature is not checked" }
    if let inflated {
      text += "; offsets refer to the \(Counted.text(inflated.bytes.count, "byte")) that it holds"
    }
    return text
  }

  /// That an input with wrappings is written without them.
  public var wrappingWarnings: [ArchiveError] {
    wrappings.map {
      ArchiveError(.unrepresentable, "was \($0.phrase), and is not any more", path: GraphPath())
    }
  }
}
