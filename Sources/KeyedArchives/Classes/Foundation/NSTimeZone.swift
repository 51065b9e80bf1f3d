// NSTimeZone: `NS.name`, and its transitions in `NS.data` (swift-corelibs-foundation: NSTimeZone.swift).

import ObjectGraph

/// NSTimeZone: `NS.name`, and its transitions as a TZif file in `NS.data`.
enum NSTimeZoneClass: FrameworkClass {
  static let classNames = ["NSTimeZone", "__NSTimeZone", "__NSLocalTimeZone"]
  static let shown = "its name"
  static let isSimple = true

  static func value(of object: ArchivedObject) -> Value? {
    object.text("NS.name").map { .string($0) }
  }

  // MARK: Stored form

  /// The system of the reader has the transitions; swift-corelibs-foundation requires the key for them.
  static let storedForm = StoredForm.made(
    NSLocaleClass.identified("NS.name", isCurrent: false, nilKey: "NS.data"))

  static let derivedKeys: Set<String> = ["NS.data"]

  // MARK: Codable

  /// The transitions go with the name.
  static let codableForm: CodableForm? = CodableForm(fields: ["NS.name", "NS.data"]) { spelled($0) }

  /// TimeZone: `{identifier}`.
  private static func spelled(_ fields: ObjectFields) -> CodableSpelling? {
    guard let name = fields["NS.name"] else { return nil }
    return .dictionary([("identifier", .node(name))])
  }
}
