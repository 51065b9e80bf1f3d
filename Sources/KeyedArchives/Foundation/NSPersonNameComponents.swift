// NSPersonNameComponents: `NS.givenName`, … in an object of their own under `NS.nameComponentsPrivate`, or in the
// object itself (keys as forensic readers of CloudKit records and swift-corelibs-foundation find them).

import ObjectGraph

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
    let parts = keys.compactMap { inner.string("NS." + $0) }.filter { !$0.isEmpty }
    let nickname = inner.string("NS.nickname").map { " (\(SummaryText.quoted($0)))" } ?? ""
    let name = parts.joined(separator: " ") + nickname
    return name.isEmpty ? nil : SummaryText.clipped(name)
  }
}
