// What edits have changed, as lines for people.

/// What an edit changed, for people.
public struct EditRecord: Sendable {
  /// The path of the edited value.
  public let path: String
  /// The value before; nil if there was none.
  public let old: String?
  /// The value after; nil if there is none.
  public let new: String?
  /// The new key, if only the key has changed.
  public var key: String?

  /// A line: `$.title: "A" -> "B"`.
  public var line: String {
    switch (old, new, key) {
    case (_, _, let key?): "\(path): renamed to '\(key)'"
    case (let old?, let new?, _): "\(path): \(old) -> \(new)"
    case (let old?, nil, _): "\(path): removed \(old)"
    case (nil, let new?, _): "\(path): added \(new)"
    case (nil, nil, _): "\(path): unchanged"
    }
  }
}
