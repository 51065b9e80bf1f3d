// The answers of a check that may not know.

/// An answer to whether something holds.
enum Certainty {
  case yes
  case no
  case unknown

  init(_ flag: Bool?) {
    switch flag {
    case true: self = .yes
    case false: self = .no
    default: self = .unknown
    }
  }

  static prefix func ! (answer: Certainty) -> Certainty {
    switch answer {
    case .yes: .no
    case .no: .yes
    case .unknown: .unknown
    }
  }

  /// Whether all hold.
  static func all(_ answers: some Sequence<Certainty>) -> Certainty {
    var result = Certainty.yes
    for answer in answers {
      if answer == .no { return .no }
      if answer == .unknown { result = .unknown }
    }
    return result
  }

  /// Whether one holds at least.
  static func any(_ answers: some Sequence<Certainty>) -> Certainty { !all(answers.map { !$0 }) }
}
