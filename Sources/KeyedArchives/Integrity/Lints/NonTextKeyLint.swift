// Keys of stored dictionaries that are no strings: binary property lists can have them, and no reader of Apple's takes them.

/// Looks at the kind of each stored key.
enum NonTextKeyLint: IntegrityLint {
  static let lints: [Lint] = [.nonTextKey]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    for index in input.indexes where input.tree.contains(index) {
      guard let dictionary = input.dictionary(index) else { continue }
      let odd = (0..<dictionary.count).lazy.compactMap { input.reference(dictionary, $0) }
        .first { input.text($0) == nil }
      guard let odd else { continue }
      report.add(.nonTextKey, in: input, at: index) {
        "\(input.phrase(odd)) is a key here, but Foundation accepts only strings"
      }
    }
  }
}
