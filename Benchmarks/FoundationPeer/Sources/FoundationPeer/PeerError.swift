// What the peer reports, in one line, before it exits 1.

enum PeerError: Error, CustomStringConvertible {
  case badRoot(expected: String)
  case badField(String)

  var description: String {
    switch self {
    case .badRoot(let expected): "the root object is no \(expected)"
    case .badField(let key): "the field \(key) is missing or of another type"
    }
  }
}
