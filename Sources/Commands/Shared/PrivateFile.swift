// A temporary file that only the user can read, for other programs.

import Basics
import FileTransactions

enum PrivateFile {
  /// Makes an empty file in the folder for temporary files.
  ///
  /// - Parameter suffix: the end of its name.
  static func make(suffix: String) throws(ArchiveError) -> String {
    let folder = XDGFolder.variable("TMPDIR") ?? "/tmp"
    var name = Array("\(folder)/archtool-XXXXXX\(suffix)".utf8CString)
    // The file can be read by its owner alone (mkstemp(3)).
    let descriptor = mkstemps(&name, Int32(suffix.utf8.count))
    guard descriptor >= 0 else {
      throw ArchiveError(.cannotCreate, "cannot create a file in \(folder): \(systemMessage())")
    }
    close(descriptor)
    return name.withUnsafeBufferPointer { bytes in
      String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
