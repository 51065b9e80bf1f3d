// Explains why a value would be restored differently, and what to do.

import Basics
import KeyedArchives
import ObjectGraph

/// Describes a value that an envelope cannot preserve.
enum UnkeptValue {
  /// The end of a message: the value, what would be restored, and what a lens could do.
  ///
  /// - Parameters:
  ///   - path: the path of the values.
  ///   - before: the original model.
  ///   - after: the restored model.
  static func reason(
    _ path: GraphPath, of before: (root: Node, graph: ObjectGraph),
    as after: (root: Node, graph: ObjectGraph), in envelope: Envelope?
  ) -> String {
    let (source, target) = (value(path, before), value(path, after))
    let remedy = source.flatMap { Self.remedy($0, envelope) } ?? ""
    return ": \(display(source)) would come back as \(display(target))\(remedy)"
  }

  private static func value(
    _ path: GraphPath, _ model: (root: Node, graph: ObjectGraph)
  ) -> (value: Value, form: SyntheticValue?)? {
    do throws(ArchiveError) {
      let node = try model.graph.node(at: path, from: model.root)
      return (model.graph.value(of: node), SyntheticValue(scalar: node, of: model.graph))
    } catch {
      return nil
    }
  }

  private static func display(_ value: (value: Value, form: SyntheticValue?)?) -> String {
    guard let value else { return "nothing" }
    if let form = value.form { return form.display }
    switch value.value {
    case .array(let elements), .orderedSet(let elements), .set(let elements):
      return elements.count == 0 ? "an empty list" : "a list of \(elements.count)"
    case .dictionary(let pairs), .object(_, let pairs):
      return pairs.count == 0 ? "an empty object" : "an object of \(pairs.count)"
    default: return "a value"
    }
  }

  private static func remedy(
    _ source: (value: Value, form: SyntheticValue?), _ envelope: Envelope?
  ) -> String? {
    guard envelope == .json else { return nil }
    switch source.form {
    case .date: return " (JSON has no dates: 'convert' in a lens makes a text or a number of one)"
    case .data: return " (JSON has no data: 'convert' in a lens makes a text in Base64 of it)"
    default: return nil
    }
  }
}
