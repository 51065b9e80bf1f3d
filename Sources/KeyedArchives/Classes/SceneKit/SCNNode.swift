// SCNNode: vectors are data of three or four floats, little-endian (scenes that Xcode's template has).

import ArchiveGraph

enum SCNNodeClass: SimpleClass {
  static let classNames = ["SCNNode"]
  static let shown = "its name, position, rotation and scale, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    func vector(_ key: String) -> String? {
      object.bytes(key).flatMap { bytes in
        [3, 4].lazy.compactMap { GeometryText.numbers(bytes, String(repeating: "f", count: $0)) }
          .first
      }.map { numbers in "{\(numbers.map { ColorText.short($0) }.joined(separator: ", "))}" }
    }
    let parts = [("position", "at"), ("rotation", "rotation"), ("scale", "scale")].map {
      key, word in
      vector(key).map { "\(word) \($0)" }
    }
    return SummaryText.joined([object.quoted("name")] + parts)
  }
}
