// The lists of strings of a JSON document.

import PropertyLists

extension JSONTree {
  /// The strings of an array that holds nothing else; nil for anything else.
  package var listOfStrings: [String]? {
    guard let list else { return nil }
    let strings = list.compactMap(\.string)
    return strings.count == list.count ? strings : nil
  }
}
