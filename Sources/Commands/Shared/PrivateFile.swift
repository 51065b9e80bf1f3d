// A temporary file that only the user can read, for other programs.

import Basics
import FileTransactions

enum PrivateFile {
  /// Writes a file in the folder for temporary files.
  ///
  /// - Parameters:
  ///   - suffix: the end of its name.
  ///   - make: writes the content; if it throws, no file remains.
  /// - Returns: its path.
  static func write(
    suffix: String, _ make: (inout OutputBuffer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) -> String {
    let path = try self.make(suffix: suffix)
    do throws(ArchiveError) {
      try AtomicFile.write(to: path, existing: .replace, allowing: .owner, make)
    } catch {
      unlink(path)
      throw error
    }
    return path
  }

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
