// The top-level keys of an archive without a version, if they differ from the one key that most schemas describe.

import ObjectGraph

extension ObjectGraph {
  /// The top-level keys of an archive that has others than just root, as a part of a message; otherwise nil.
  package var unusualTopLevelKeys: String? {
    guard let keys = documents.first?.archive?.topKeys, keys != ["root"] else { return nil }
    if keys.isEmpty { return "the archive has no top-level key" }
    let names = keys.prefix(5).map { "'\($0.prefix(40))'" }.joined(separator: ", ")
    let more = keys.count > 5 ? " and \(keys.count - 5) more" : ""
    return keys.count == 1
      ? "the archive's top-level key is \(names), not 'root'"
      : "the archive has \(keys.count) top-level keys: \(names)\(more)"
  }
}
