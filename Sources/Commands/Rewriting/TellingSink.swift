// Results that go nowhere: what would be done is told.

import Basics
import Batches
import Migrations
import PropertyLists

/// Tells what would be done to each file, on standard output.
final class TellingSink: FleetSink {
  /// How it is told.
  enum Style: Sendable {
    /// In one line a file: `would migrate …`, with this verb.
    case brief(String)
    /// With operations and losses.
    case plan
    /// As a line of JSON a file, sealed if there is a key for it.
    case json(PlanSeal?)
  }

  struct Told: Sendable {
    let summary: String
    let details: RewriteDetails
    let old: Int
    let new: Int
  }

  private let style: Style

  init(_ style: Style) { self.style = style }

  let preparation: Preparation = { (_, old, archive) throws(ArchiveError) in
    Told(
      summary: archive.summary, details: archive.details, old: old.bytes.count,
      new: archive.storage.bytes.count)
  }

  func commit(
    _ batch: [(input: Input, prepared: Told)]
  ) throws(ArchiveError) -> [Result<FleetPlace, ArchiveError>] {
    try batch.map { (input, told) throws(ArchiveError) in
      .success(FleetPlace(nil, output: try text(input, told)))
    }
  }

  private func text(_ input: Input, _ told: Told) throws(ArchiveError) -> String {
    switch style {
    case .brief(let verb):
      return line(
        "\(input.name): would \(verb) \(told.summary), \(PlanText.sizes(told.old, told.new))")
    case .plan:
      let lines = PlanText.lines(
        file: input.name, summary: told.summary, sizes: (told.old, told.new),
        migration: told.details.migration)
      return lines.map(line).joined()
    case .json(let seal):
      let members: [(String, JSONTree)] =
        [
          ("file", .string(input.path)), ("outcome", .string("changed")),
          ("summary", .string(told.summary)),
          ("bytes", .integer(told.old)), ("newBytes", .integer(told.new)),
        ] + told.details.members
      let line = try Self.text(of: .members(members))
      return seal?.line(line) ?? line
    }
  }

  func account(
    ofRefused input: Input, _ reason: String, _ details: RewriteDetails
  ) -> String {
    switch style {
    case .brief: return ""
    case .plan:
      guard let migration = details.migration else { return "" }
      let lines = PlanText.lines(
        file: input.name, summary: migration.summary, sizes: nil, migration: migration)
      return lines.map(line).joined()
    case .json(let seal):
      let members: [(String, JSONTree)] =
        [
          ("file", .string(input.path)), ("outcome", .string("refused")),
          ("reason", .string(reason)),
        ] + details.members
      do throws(ArchiveError) {
        let line = try Self.text(of: .members(members))
        return seal?.line(line) ?? line
      } catch {
        // The message on standard error says it.
        return ""
      }
    }
  }

  /// A line of JSON.
  static func text(of tree: JSONTree) throws(ArchiveError) -> String {
    var output = OutputBuffer(descriptor: nil)
    try tree.write(isCompact: true, to: &output)
    return String(decoding: output.bytes.bytes, as: UTF8.self)
  }

  private func line(_ text: String) -> String { text.escapedLine + "\n" }

  func discard(_ prepared: Told) {}
}
