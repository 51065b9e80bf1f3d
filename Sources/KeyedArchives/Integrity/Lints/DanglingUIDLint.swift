// UIDs without an object in `$objects`.

/// Checks every location of such a UID: one stored UID may have many.
enum DanglingUIDLint: IntegrityLint {
  static let lints: [Lint] = [.danglingUID]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    guard let archive = input.archive else { return }
    let count = archive.objects.count
    var dangling: Set<UInt32> = []
    for index in input.indexes where input.uid(index).map({ $0 >= UInt64(count) }) == true {
      dangling.insert(index)
    }
    guard !dangling.isEmpty else { return }
    var held: Set<UInt32> = []
    for index in input.indexes where input.tree.contains(index) {
      guard let container = input.container(index) else { continue }
      for position in 0..<container.referenceCount {
        guard let uid = input.reference(container, position), dangling.contains(uid) else {
          continue
        }
        held.insert(uid)
        add(uid, count, .reference(container, position), input, &report)
      }
    }
    for uid in dangling.subtracting(held).sorted() { add(uid, count, .unknown, input, &report) }
  }

  private static func add(
    _ uid: UInt32, _ count: Int, _ place: IntegrityReport.Place, _ input: CheckedInput,
    _ report: inout IntegrityReport
  ) {
    report.add(.danglingUID, in: input, at: uid, place: place) {
      KeyedArchiveParts.dangling(input.uid(uid) ?? 0, objectCount: count)
    }
  }
}
