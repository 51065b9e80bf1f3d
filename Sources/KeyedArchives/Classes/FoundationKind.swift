// The implementations of Foundation, and which of them wrote an object.

import ArchiveGraph

/// The implementation of Foundation that reads an archive: some classes store other fields in each.
package enum FoundationKind: String, Sendable, CaseIterable {
  /// Apple's.
  case apple
  /// swift-corelibs-foundation, on Linux and Windows.
  case swiftCorelibs = "swift-corelibs"

  /// The implementation that wrote an object; nil if it stores what the other stores, too.
  ///
  /// Sources: encodeWithCoder: of NSDateInterval, NSIndexSet and NSPersonNameComponents, NSStringFromRect, and
  /// swift-corelibs-foundation's files of these names.
  package init?(writerOf node: Node, in graph: ObjectGraph) {
    guard let index = graph.classIndex(of: node) else { return nil }
    let fields = ObjectFields(of: node, in: graph)
    switch graph.classes[index].name {
    case "NSDateInterval": self = fields["NS.duration"] == nil ? .swiftCorelibs : .apple
    case "NSPersonNameComponents":
      self = fields["NS.nameComponentsPrivate"] == nil ? .swiftCorelibs : .apple
    case "NSIndexSet", "NSMutableIndexSet":
      guard let data = fields["NSRangeData"] else { return nil }
      self = graph.classIndex(of: data) == nil ? .swiftCorelibs : .apple
    case "NSValue":
      let text = ["NS.pointval", "NS.sizeval", "NS.rectval"].lazy.compactMap { fields.string($0) }
      let words = text.first?.split { "{}, ".contains($0) } ?? []
      guard let whole = words.first(where: { Double($0).map { $0 == $0.rounded() } ?? false })
      else { return nil }
      self = whole.contains(".") ? .swiftCorelibs : .apple
    default: return nil
    }
  }
}
