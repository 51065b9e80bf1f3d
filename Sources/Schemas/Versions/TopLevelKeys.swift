// The top-level keys of an archive without a version, if they differ from the one key that most schemas describe.

import ObjectGraph

extension ObjectGraph {
  /// The top-level keys of an archive that has others than just root, as a part of a message; otherwise nil.
  package var unusualTopLevelKeys: String? {
    guard let tops = documents.first?.archive?.tops, tops.count != 1 || tops[0].key != "root" else {
      return nil
    }
    if tops.isEmpty { return "the archive has no top-level key" }
    let names = tops.prefix(5).map { "'\($0.key.prefix(40))'" }.joined(separator: ", ")
    let more = tops.count > 5 ? " and \(tops.count - 5) more" : ""
    return tops.count == 1
      ? "the archive's top-level key is \(names), not 'root'"
      : "the archive has \(tops.count) top-level keys: \(names)\(more)"
  }
}
