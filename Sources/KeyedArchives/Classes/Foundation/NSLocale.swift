// NSLocale: `NS.identifier` (swift-corelibs-foundation: NSLocale.swift).

import ObjectGraph

/// NSLocale: `NS.identifier`.
enum NSLocaleClass: FrameworkClass {
  static let classNames = ["NSLocale"]
  static let shown = "its identifier"
  static let isSimple = true

  static func value(of object: ArchivedObject) -> Value? {
    object.text("NS.identifier").map { .string($0) }
  }

  // MARK: Codable

  static let codableForm: CodableForm? = CodableForm(fields: ["NS.identifier"]) { spelled($0) }

  /// Locale: `{current: 0, identifier}`.
  private static func spelled(_ fields: ObjectFields) -> CodableSpelling? {
    guard let identifier = fields["NS.identifier"] else { return nil }
    return .dictionary([("current", .integer(0)), ("identifier", .node(identifier))])
  }
}
