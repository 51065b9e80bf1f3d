// The encodings in which stored values keep what they are: property lists with UIDs.

import ObjectGraph
import PropertyLists

/// The encodings that edited values are written in again.
enum StoredEncoding {
  case binary
  case xml
  case openStep

  init?(_ encoding: Encoding) {
    switch encoding {
    case .binaryPropertyList: self = .binary
    case .xmlPropertyList: self = .xml
    case .openStepPropertyList: self = .openStep
    default: return nil
    }
  }

  /// Writes values that are given as a binary property list.
  func write(_ binary: ByteStorage, limits: Limits) throws(ArchiveError) -> ByteStorage {
    if self == .binary { return binary }
    let document = try BinaryReader.read(binary.bytes, storage: [binary], fileOffset: nil).document
    var output = OutputBuffer(descriptor: nil)
    if self == .xml {
      _ = try XMLWriter.write(document, limits: limits, to: &output)
    } else {
      try OpenStepWriter.write(document, limits: limits, to: &output)
    }
    return ByteStorage(copying: output.bytes.array)
  }
}
