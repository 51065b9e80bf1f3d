// The contents of a folder, file by file, for comparing two points in time.

import Foundation

/// What a test compares of a file.
struct FileFacts: Equatable {
  /// Its bytes; of a link, where it leads.
  let bytes: Data
  let mode: mode_t
  /// When it was written, to the nanosecond.
  let modified: [Int]

  /// Looks at a file; a folder or pipe has no bytes.
  init(_ path: String) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw POSIXError(.ENOENT) }
    mode = status.st_mode
    #if canImport(Darwin)
      modified = [status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec]
    #else
      modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    #endif
    let kind = mode & S_IFMT
    bytes =
      kind == S_IFLNK
      ? Data(try FileManager.default.destinationOfSymbolicLink(atPath: path).utf8)
      : kind == S_IFREG ? try Data(contentsOf: URL(fileURLWithPath: path)) : Data()
  }
}

/// The files below a folder, by their paths in it.
struct FolderFacts: Equatable {
  private(set) var files: [String: FileFacts] = [:]
  /// The files that archtool made for itself.
  private(set) var leftovers: [String] = []

  /// Looks at a folder; links are not followed.
  init(_ folder: String) throws {
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      var status = stat()
      guard lstat("\(folder)/\(path)", &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
        continue
      }
      if path.split(separator: "/").last?.hasPrefix(".archtool-") == true {
        leftovers.append(path)
      } else {
        files[path] = try FileFacts("\(folder)/\(path)")
      }
    }
  }

  /// The names whose bytes are not the same in another folder, or that only one of them has.
  func differences(from other: FolderFacts, times: Bool = false) -> [String] {
    Set(files.keys).union(other.files.keys).filter { path in
      guard let one = files[path], let two = other.files[path] else { return true }
      return one.bytes != two.bytes || one.mode != two.mode
        || (times && one.modified != two.modified)
    }.sorted()
  }

  /// The names whose files are neither as in one folder nor as in another.
  func broken(between before: FolderFacts, and after: FolderFacts) -> [String] {
    Set(differences(from: before)).intersection(differences(from: after)).sorted()
  }
}
