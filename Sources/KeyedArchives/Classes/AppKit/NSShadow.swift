// NSShadow: `NSShadowHoriz`, `NSShadowVert`, `NSShadowBlurRadius`, `NSShadowColor`, each left out where it is 0
// (GNUstep: NSShadow.m); Apple's frameworks archive the vertical offset with its sign turned.

/// NSShadow.
enum NSShadowClass: FrameworkClass {
  static let classNames = ["NSShadow"]
  static let shown = "its offset, blur and colour, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    func number(_ key: String) -> Double? { object.has(key) ? object.number(key) : 0 }
    guard let horizontal = number("NSShadowHoriz"), let vertical = number("NSShadowVert"),
      let blur = number("NSShadowBlurRadius")
    else { return nil }
    let color = object.brief("NSShadowColor").map { ", \($0)" } ?? ""
    return "offset {\(ColorText.short(horizontal)), \(ColorText.short(-vertical))}, "
      + "blur \(ColorText.short(blur))\(color)"
  }
}
