// Output without results: shows what would be done.

import Basics
import Batches
import Migrations
import PropertyLists

/// Shows on standard output what would be done to each file.
final class PreviewOutput: BatchOutput {
  /// The style of the preview.
  enum Style: Sendable {
    /// One line per file: `would migrate …`, with this verb.
    case brief(String)
    /// Includes operations and losses.
    case plan
    /// A line of JSON per file, sealed if there is a key for it.
    case json(PlanSeal?)
  }

  private let style: Style

  init(_ style: Style) { self.style = style }

  let preparation: Preparation = { (_, _, _) in }

  func commit(
    _ batch: [(input: Input, prepared: Void)]
  ) -> [Result<WrittenLocation, ArchiveError>] {
    batch.map { _ in .success(WrittenLocation(name: nil)) }
  }

  func preview(of input: Input, _ result: RewriteResult) throws(ArchiveError) -> String {
    switch style {
    case .brief(let verb):
      let sizes = PlanText.sizes(result.oldBytes, result.newBytes)
      return line("\(input.name): would \(verb) \(result.summary), \(sizes)")
    case .plan:
      let lines = PlanText.lines(
        file: input.name, summary: result.summary, sizes: (result.oldBytes, result.newBytes),
        migration: result.details.migration)
      return lines.map(line).joined()
    case .json(let seal):
      let members: [(String, JSONTree)] =
        [
          ("file", .string(input.path)), ("outcome", .string("changed")),
          ("summary", .string(result.summary)),
          ("bytes", .integer(result.oldBytes)), ("newBytes", .integer(result.newBytes)),
        ] + result.details.members
      let line = try Self.text(of: .members(members))
      return seal?.line(line) ?? line
    }
  }

  func previewRefusal(of input: Input, _ reason: String, _ details: RewriteDetails) -> String {
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
        // The message on standard error contains it.
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

  func discard(_ prepared: Void) {}
}
