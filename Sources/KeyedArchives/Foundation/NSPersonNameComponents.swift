// NSPersonNameComponents: `NS.givenName`, … in an object of their own under `NS.nameComponentsPrivate`, or in the
// object itself (keys as forensic readers of CloudKit records and swift-corelibs-foundation find them).

/// NSPersonNameComponents.
enum NSPersonNameComponentsClass: ArchivedClass {
  static let classNames = ["NSPersonNameComponents", "_NSPersonNameComponentsData"]
  static let shown =
    "the name in the order prefix, given, middle, family, suffix, before its fields"
  static let isSimple = true

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
}
