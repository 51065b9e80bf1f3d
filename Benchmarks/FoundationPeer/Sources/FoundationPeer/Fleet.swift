// The files of a folder and of those in it, and where their migrated forms belong.
import Foundation

struct Fleet: Sendable {
  let folder: String
  let output: String

  /// Makes the folders of the output, and gives the paths of the files in the folder.
  func prepare() throws -> [String] {
    try FileManager.default.createDirectory(
      atPath: output, withIntermediateDirectories: true)
    var files: [String] = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder)
      else { continue }
      guard isFolder.boolValue else {
        files.append(path)
        continue
      }
      try FileManager.default.createDirectory(
        atPath: "\(output)/\(path)", withIntermediateDirectories: true)
    }
    return files
  }

  /// Migrates one of the files; what it writes is complete or absent, as archtool's output is.
  func migrateFile(_ path: String) throws {
    try migrate("\(folder)/\(path)", to: "\(output)/\(path)", options: .atomic)
  }
}
