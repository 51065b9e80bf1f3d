// Warnings of formats without reals of single precision.

import Basics

extension ArchiveError {
  /// The warning that reals of single precision become double ones in a format, or none.
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
