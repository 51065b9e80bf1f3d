// What formats say that have no reals of single precision.

import Basics

extension ArchiveError {
  /// The warning that reals of single precision become double ones in a format; none if there are none.
  static func widened(_ singles: Int, in format: String) -> [ArchiveError] {
    if singles == 0 { return [] }
    let become = singles == 1 ? "1 is read back as one" : "\(singles) are read back as ones"
    return [
      ArchiveError(
        .unrepresentable,
        "\(format) has no reals of single precision: \(become) of double precision, of the same value"
      )
    ]
  }
}
