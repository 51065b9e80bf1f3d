// Which lists `group` makes dictionaries.

/// A list and a dictionary that tell the same.
public enum LensGrouping: Sendable, Equatable {
  /// A list of objects by a member of each, which becomes the key; without a name the value itself.
  case elements(name: String?, by: String)
  /// Two lists side by side, as in the members `NS.keys` and `NS.objects`.
  case lists(keys: String, values: String, into: String)

  /// As plans name it.
  var title: String {
    switch self {
    case .elements(let name, let key): "\(name ?? "the value") by \(key)"
    case .lists(let keys, let values, let name): "\(keys) and \(values) into \(name)"
    }
  }
}
