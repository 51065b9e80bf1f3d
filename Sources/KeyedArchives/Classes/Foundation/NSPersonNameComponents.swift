// NSPersonNameComponents: `NS.givenName`, … in an object of their own under `NS.nameComponentsPrivate`, or in the
// object itself (keys as forensic readers of CloudKit records and swift-corelibs-foundation find them).

import ArchiveGraph

enum NSPersonNameComponentsClass: SimpleClass {
  static let classNames = ["NSPersonNameComponents", "_NSPersonNameComponentsData"]
  static let shown =
    "the name in the order prefix, given, middle, family, suffix, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    let inner =
      object.object("NS.nameComponentsPrivate", of: NSPersonNameComponentsClass.self) ?? object
    let keys = ["namePrefix", "givenName", "middleName", "familyName", "nameSuffix"]
    var parts = keys.compactMap { inner.string("NS." + $0) }.filter { !$0.isEmpty }
    if let nickname = inner.string("NS.nickname"), !nickname.isEmpty {
      parts.append("(\(SummaryText.quoted(nickname)))")
    }
    return parts.isEmpty ? nil : SummaryText.clipped(parts.joined(separator: " "))
  }

  // MARK: Stored form

  /// Apple's Foundation stores the parts in an object of their own (encodeWithCoder: of
  /// _NSPersonNameComponentsData); swift-corelibs-foundation stores them in the object itself, and does not open a name that lacks a field.
  static let storedForm = StoredForm.made(shown: Set(personNames + ["phoneticRepresentation"])) {
    value throws(FormRefusal) in
    var members = try value.members()
    let isNested = value.foundation == .apple
    var fields: [StoredField] = []
    for name in personNames {
      let text = try members.text(name)
      fields.append(StoredField("NS." + name, text.map { .text($0) } ?? .null))
    }
    if isNested {
      let phonetic = try members.object("phoneticRepresentation", "NSPersonNameComponents")
      fields.append(StoredField("NS.phoneticRepresentation", phonetic ?? .null))
    }
    try members.end()
    guard isNested else { return fields }
    return [
      StoredField("NS.nameComponentsPrivate", .object("_NSPersonNameComponentsData", fields))
    ]
  }

  // MARK: Codable

  private static let personNames = [
    "namePrefix", "givenName", "middleName", "familyName", "nameSuffix", "nickname",
  ]

  /// The parts of a name, in the object itself or in one of their own.
  private static let personNameFields = Set(
    personNames.map { "NS." + $0 } + ["NS.nameComponentsPrivate"])

  /// PersonNameComponents: the parts that are set.
  static let codableForm: CodableForm? = CodableForm(
    names: ["NSPersonNameComponents"], fields: personNameFields
  ) { fields in
    var fields = fields
    if let node = fields["NS.nameComponentsPrivate"], !fields.isNil("NS.nameComponentsPrivate") {
      guard fields.areAll(among: ["NS.nameComponentsPrivate"]), fields.graph.isContainerOrData(node)
      else {
        return nil
      }
      fields = ObjectFields(of: node, in: fields.graph)
      guard fields.areAll(among: Set(personNames.map { "NS." + $0 })) else { return nil }
    }
    var members: [(name: String, value: SyntheticValue)] = []
    for name in personNames where !fields.isNil("NS." + name) {
      guard let text = fields.string("NS." + name) else { return nil }
      members.append((name, .string(text)))
    }
    return .members(members)
  }
}
