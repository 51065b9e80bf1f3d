// A line of a plan for people.

import KeyedArchives
import PropertyLists

/// Spells what would be done to a file.
public enum PlanText {
  /// The lines of one file, from the facts of its rewriting.
  ///
  /// - Parameters:
  ///   - file: its name.
  ///   - summary: `WeatherFeed@v1 to v2`.
  ///   - sizes: how many bytes it has, and would have; nil if it would be refused.
  public static func lines(
    file: String, summary: String, sizes: (old: Int, new: Int)?,
    facts: [(name: String, value: JSONTree)]
  ) -> [String] {
    let tree = JSONTree.members(facts.map { ($0.name, $0.value) })
    var first = "\(file): \(summary)"
    let stations = (tree["path"]?.list ?? []).dropFirst().dropLast().compactMap(\.string)
    if !stations.isEmpty { first += " by way of \(stations.joined(separator: ", "))" }
    if let sizes { first += ", " + Self.sizes(sizes.old, sizes.new) }
    first += quality(tree)
    if sizes == nil { first += ", refused" }
    var lines = [first]
    for operation in tree["operations"]?.list ?? [] {
      let way = operation["direction"]?.string == "backward" ? ", backward" : ""
      lines.append("  \(place(operation)): \(operation["title"]?.string ?? "")\(way)")
    }
    for loss in tree["losses"]?.list ?? [] {
      let count = loss["count"].flatMap { if case .integer(let count) = $0 { count } else { nil } }
      let more = (count ?? 1) > 1 ? " and \((count ?? 1) - 1) more" : ""
      let text = loss["lost"]?.string ?? ""
      let path = loss["path"]?.string ?? "$"
      if let kind = StructureLoss.Kind(rawValue: text) {
        let loss = StructureLoss(
          kind: kind, path: path, text: loss["title"]?.string ?? "", count: count ?? 1)
        lines.append("  loses \(loss.wording)")
        continue
      }
      let kind = LostValue.Kind(rawValue: text) ?? .value
      let note = loss["note"]?.string.map { ", \($0)" } ?? ""
      lines.append("  loses \(kind.wording) \(path)\(more) (\(place(loss))\(note))")
    }
    return lines
  }

  /// What is promised of the values: that they come back, or only that they are what the lenses made.
  private static func quality(_ tree: JSONTree) -> String {
    guard let isLossless = tree["lossless"]?.boolean else { return "" }
    guard let oneWay = tree["oneWay"]?.list else { return isLossless ? ", lossless" : ", lossy" }
    let names = oneWay.compactMap(\.string).joined(separator: ", ")
    let isLossy = tree["losses"]?.list?.isEmpty == false
    return "\(isLossy ? ", lossy" : ""), one way only (no reverse through \(names))"
  }

  private static func place(_ tree: JSONTree) -> String {
    "\(tree["lens"]?.string ?? "")#\(tree["operation"]?.string ?? "")"
  }

  /// `375 to 244 bytes`.
  public static func sizes(_ old: Int, _ new: Int) -> String {
    "\(old) to \(new) \(new == 1 ? "byte" : "bytes")"
  }
}
