// NSCountedSet: `NS.count`, and `NS.object0` with `NS.count0`, … in its own keys, or `NS.objects` and `NS.counts`.

import ObjectGraph

/// NSCountedSet.
enum NSCountedSetClass: FrameworkClass {
  static let classNames = ["NSCountedSet"]
  static let shown = "its elements with their counts"

  static func value(of object: ArchivedObject) -> Value? {
    guard let found = elements(of: object) else { return nil }
    return object.derivedObject(spelling: found.spelled) {
      let forms = found.elements.map { element -> SyntheticValue in
        .members([("element", .node(element.node)), ("count", .integer(element.count))])
      }
      return [("elements", .list(forms))]
    }
  }

  static func summary(of object: ArchivedObject) -> String? {
    guard let elements = elements(of: object)?.elements else { return nil }
    let start = elements.prefix(4).map { "\($0.count) × \(object.brief($0.node))" }
    return elements.isEmpty
      ? "empty" : start.joined(separator: ", ") + (elements.count > 4 ? ", …" : "")
  }

  private static func elements(
    of object: ArchivedObject
  ) -> (elements: [(node: Node, count: Int64)], spelled: [String])? {
    if let nodes = object.elements("NS.objects") {
      guard let counts = object.elements("NS.counts"), counts.count == nodes.count else {
        return nil
      }
      let numbers = counts.compactMap { object.integer($0) }
      guard numbers.count == nodes.count else { return nil }
      return (Array(zip(nodes, numbers)), ["NS.objects", "NS.counts", "NS.count"])
    }
    for (objectKey, countKey) in [("NS.object", "NS.count"), ("NS.object.", "NS.count.")] {
      guard let nodes = object.indexed(objectKey), let counts = object.indexed(countKey),
        nodes.count == counts.count, !nodes.isEmpty
      else { continue }
      let numbers = counts.compactMap { object.integer($0) }
      guard numbers.count == nodes.count else { return nil }
      let spelled = nodes.indices.flatMap { ["\(objectKey)\($0)", "\(countKey)\($0)"] }
      return (Array(zip(nodes, numbers)), spelled + ["NS.count"])
    }
    return object.integer("NS.count") == 0 ? ([], ["NS.count"]) : nil
  }

  static let storedForm = StoredForm.never(
    shown: ["elements"], reason: "what is shown is not how its counts are stored")
}
