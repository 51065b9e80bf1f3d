// Whether one value may fit two schemas: proved of all values of one, or shown by a value that was made.

import PropertyLists

/// Values that two schemas have in common.
public enum SchemaOverlap {
  /// The values that were made, at most so many.
  private static let valueLimit = 64

  /// Values that are known to fit both schemas; none if none was easy to find.
  ///
  /// Nothing is known of schemas for which there are none.
  public static func values(of one: JSONTree, and other: JSONTree) -> [JSONTree] {
    let documents = SchemaDocuments(
      inner: one, outer: other, options: SchemaContainment.Options(comparesArchives: false))
    guard let inner = documents.inner.place(at: ""), let outer = documents.outer.place(at: "")
    else {
      return []
    }
    var maker = ValueMaker(documents)
    return Array(
      maker.values(fitting: Conjunction([inner, outer]), against: nil).prefix(valueLimit))
  }
}
