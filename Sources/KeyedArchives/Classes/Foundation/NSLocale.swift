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

  // MARK: Stored form

  static let storedForm = StoredForm.made(identified("NS.identifier", isCurrent: true))

  /// Makes an object of its identifier, or of Codable's form: `{identifier}`, for a locale also `{current: 0}`.
  ///
  /// - Parameter nilKey: a field that is nil beside the identifier.
  static func identified(
    _ key: String, isCurrent: Bool, nilKey: String? = nil
  ) -> StoredFormMaker {
    @Sendable func fields(_ text: Text) -> [StoredField] {
      [StoredField(key, .text(text))] + (nilKey.map { [StoredField($0, .null)] } ?? [])
    }
    return StoredFormMaker(shown: ["identifier", "current"]) { value throws(FormRefusal) in
      if let text = value.text { return fields(text) }
      var members = try value.members()
      let identifier = try members.required(members.text("identifier"), "identifier")
      if isCurrent, try members.integer("current") ?? 0 != 0 {
        throw FormRefusal(reason: "the current locale is not a stored one")
      }
      try members.end()
      return fields(identifier)
    }
  }

  // MARK: Codable

  static let codableForm: CodableForm? = CodableForm(fields: ["NS.identifier"]) { spelled($0) }

  /// Locale: `{current: 0, identifier}`.
  private static func spelled(_ fields: ObjectFields) -> CodableSpelling? {
    guard let identifier = fields["NS.identifier"] else { return nil }
    return .dictionary([("current", .integer(0)), ("identifier", .node(identifier))])
  }
}
