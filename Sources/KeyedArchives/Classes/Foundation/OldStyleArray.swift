// _NSKeyedCoderOldStyleArray: a C array in an NSValue (swift-corelibs-foundation: NSConcreteValue.swift).

import ObjectGraph

/// The array of a C array in an NSValue: `NS.count` elements of the type whose letter is `NS.type`, in `$0`, `$1`, ….
enum OldStyleArrayClass: FrameworkClass {
  static let classNames = ["_NSKeyedCoderOldStyleArray"]
  static let shown = "the elements of a C array"

  static func value(of object: ArchivedObject) -> Value? {
    guard let count = object.integer("NS.count"), let nodes = object.indexed("$"),
      Int64(nodes.count) == count
    else { return nil }
    let spelled = ["NS.count", "NS.size", "NS.type"] + nodes.indices.map { "$\($0)" }
    return object.derivedObject(spelling: spelled) {
      [("elements", .list(nodes.map { .node($0) }))]
    }
  }

  static func summary(of object: ArchivedObject) -> String? {
    guard let count = object.integer("NS.count"), let type = object.integer("NS.type"),
      let scalar = UInt32(exactly: type).flatMap({ Unicode.Scalar($0) }), scalar.isASCII,
      let nodes = object.indexed("$"), Int64(nodes.count) == count
    else { return nil }
    let elements = nodes.prefix(16).map { object.leaf($0).map { SummaryText.scalar($0) } ?? "…" }
    return
      "[\(count)\(scalar)] {\(elements.joined(separator: ", "))\(nodes.count > 16 ? ", …" : "")}"
  }

  static let storedForm = StoredForm.never(
    shown: ["elements"], reason: "the type of its elements is not shown")
}
