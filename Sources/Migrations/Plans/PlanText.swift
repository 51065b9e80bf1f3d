// A line of a plan for people.

import KeyedArchives

/// Describes what would be done to a file.
package enum PlanText {
  /// The lines of one file.
  ///
  /// - Parameters:
  ///   - file: its name.
  ///   - summary: `WeatherFeed@v1 to v2`.
  ///   - sizes: how many bytes it has, and would have; nil if it would be refused.
  ///   - migration: the migration; nil for another rewriting.
  package static func lines(
    file: String, summary: String, sizes: (old: Int, new: Int)?, migration: MigrationDetails?
  ) -> [String] {
    var first = "\(file): \(summary)"
    let intermediateVersions = (migration?.route?.versions ?? []).dropFirst().dropLast()
    if !intermediateVersions.isEmpty {
      first += " by way of \(intermediateVersions.joined(separator: ", "))"
    }
    if let sizes { first += ", " + Self.sizes(sizes.old, sizes.new) }
    if let migration { first += quality(migration) }
    if sizes == nil { first += ", refused" }
    let operations = migration?.route?.operations ?? []
    return [first]
      + operations.map { operation in
        let way = operation.direction == .backward ? ", backward" : ""
        return "  \(operation.lens)#\(operation.pointer): \(operation.title)\(way)"
      } + (migration?.losses ?? []).map { "  loses \($0.wording)" }
  }

  /// The guarantee for the values: that they can be restored, or only that they are the results of the lenses.
  private static func quality(_ migration: MigrationDetails) -> String {
    guard let isLossless = migration.isLossless else { return "" }
    let oneWay = migration.route?.oneWay ?? []
    if oneWay.isEmpty { return isLossless ? ", lossless" : ", lossy" }
    let isLossy = migration.losses?.isEmpty == false
    let names = oneWay.joined(separator: ", ")
    return "\(isLossy ? ", lossy" : ""), one way only (no reverse through \(names))"
  }

  /// `375 to 244 bytes`.
  package static func sizes(_ old: Int, _ new: Int) -> String {
    "\(old) to \(new) \(new == 1 ? "byte" : "bytes")"
  }
}
