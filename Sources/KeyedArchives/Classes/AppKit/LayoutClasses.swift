// The views of UIKit, and the constraints of both frameworks.
//
// Keys: interface files in NIBArchives. Numbers of attributes and relations: Apple's documentation of
// NSLayoutConstraint.Attribute and NSLayoutConstraint.Relation.

import ArchiveGraph

/// UIView, its subclasses and the items of bars.
enum UIViewClass: InterfaceClass, SimpleClass {
  static let classNames = [
    "UIView", "UILabel", "UIButton", "UITextField", "UITextView", "UIImageView", "UIScrollView",
    "UITableView", "UITableViewCell", "UITableViewLabel", "UITableViewCellContentView",
    "UINavigationItem", "UIBarButtonItem",
  ]
  static let shown = "its text or title, its bounds and its center, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    let text = object.string("UIText") ?? object.string("UITitle")
    return SummaryText.joined([
      text.map { SummaryText.quoted($0) },
      object.clipped("UIBounds"),
      object.string("UICenter").map { "center \(SummaryText.clipped($0))" },
    ])
  }
}

enum NSLayoutConstraintClass: InterfaceClass {
  static let classNames = ["NSLayoutConstraint"]
  static let shown = "what it demands, as in 'NSButton.width ≥ 80', before its fields"

  private static let attributes = [
    "", "left", "right", "top", "bottom", "leading", "trailing", "width", "height", "centerX",
    "centerY", "lastBaseline", "firstBaseline",
  ]

  static func summary(of object: ArchivedObject) -> String? {
    func side(_ name: String) -> String? {
      guard let item = object.field("NS\(name)Item"),
        let number = object.integer("NS\(name)Attribute"),
        attributes.indices.contains(Int(clamping: number)), number > 0
      else { return nil }
      return "\(object.interfaceName(item)).\(attributes[Int(clamping: number)])"
    }
    guard let first = side("First") else { return nil }
    let sign = [-1: "≤", 0: "=", 1: "≥"][object.integer("NSRelation") ?? 0] ?? "?"
    let constant = object.number("NSConstant") ?? 0
    guard let second = side("Second") else {
      return "\(first) \(sign) \(SummaryText.number(constant))"
    }
    let factor = object.number("NSMultiplier").map { " × \(SummaryText.number($0))" } ?? ""
    let sum =
      constant == 0 ? "" : " \(constant < 0 ? "-" : "+") \(SummaryText.number(abs(constant)))"
    return "\(first) \(sign) \(second)\(factor)\(sum)"
  }
}

/// The class of an application that an interface names.
enum IBClassReferenceClass: InterfaceClass, SimpleClass {
  static let classNames = ["IBClassReference"]
  static let shown = "its class and the module of that, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    SummaryText.joined(
      ["IBModuleName", "IBClassName"].map { object.clipped($0) },
      separator: ".")
  }
}
