// The findings of other decoders in the available archives: lines of JSON under Tests/Judges.

import Foundation

/// Reads the findings of other decoders.
package enum Expectations {
  /// The lines of a file, each a finding.
  package static func lines<Finding: Decodable>(of name: String) -> [Finding] {
    let list = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Judges/\(name)")
    do {
      return try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map { line in
        try JSONDecoder().decode(Finding.self, from: Data(line.utf8))
      }
    } catch {
      fatalError("\(list.path) cannot be read: \(error)")
    }
  }

  /// A file that was judged, in TestArchives or in the corpus; nil where it is not there.
  package static func url(of file: String) -> URL? {
    let own = TestArchives.root.appendingPathComponent(file)
    return FileManager.default.fileExists(atPath: own.path) ? own : Corpus.file(file)
  }
}
