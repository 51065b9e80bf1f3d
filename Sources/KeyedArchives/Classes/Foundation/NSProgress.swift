// NSProgress: the number of units, and how many are done.

/// NSProgress.
enum NSProgressClass: FrameworkClass {
  static let classNames = ["NSProgress"]
  static let shown = "how many units are done, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? {
    func count(_ name: String) -> Int64? {
      object.integer("NSProgress\(name)UnitCount")
        ?? object.integer("NS.\(name.lowercased())UnitCount")
    }
    guard let completed = count("Completed"), let total = count("Total") else { return nil }
    return "\(completed) of \(total)"
  }
}
