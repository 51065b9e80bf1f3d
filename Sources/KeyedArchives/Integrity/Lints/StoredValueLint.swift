// Values of a binary property list that are not well formed, each by its kind of fault.

import Basics
import ObjectGraph

/// Looks at every stored value that the first pass did not find sound.
enum StoredValueLint: IntegrityLint {
  static let lints: [Lint] = [
    .badOffset, .badMarker, .badCount, .beyondEnd, .badReference, .invalidUTF8, .unreachableFault,
  ]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    guard input.soundness.hasFaults else { return }
    for index in input.indexes where !input.soundness.isSound(index) {
      // A container that cannot be walked may refer to anything.
      let isReachable = input.tree.contains(index) || !input.tree.isComplete
      if let container = input.container(index) {
        checkReferences(of: container, in: input, isReachable, &report)
      } else if let fault = input.table.tableFault(at: index) {
        report.add(
          isReachable ? lint(of: fault.kind) : .unreachableFault,
          fault.error.shifted(by: input.document.fileOffset), in: input, place: .value(index))
      }
    }
  }

  /// In a container of valid extent each dangling reference is reported.
  private static func checkReferences(
    of container: StoredContainer, in input: CheckedInput, _ isReachable: Bool,
    _ report: inout IntegrityReport
  ) {
    for position in 0..<container.referenceCount
    where input.reference(container, position) == nil {
      let number = input.rawReference(container, position)
      report.add(
        isReachable ? .badReference : .unreachableFault,
        input.table.badReference(number, at: input.table.offset(of: container.index))
          .shifted(by: input.document.fileOffset),
        in: input, place: .reference(container, position),
        byteCount: input.byteCount(of: container.index))
    }
  }

  private static func lint(of kind: TableFault.Kind) -> Lint {
    switch kind {
    case .offset: .badOffset
    case .marker: .badMarker
    case .extent: .beyondEnd
    case .count: .badCount
    case .reference: .badReference
    case .spelling: .invalidUTF8
    }
  }
}
