// What `when` asks of an object.

import ObjectGraph
import PropertyLists

/// A condition on a member.
public struct LensCondition: Sendable, Equatable {
  /// What is asked.
  public enum Test: Sendable, Equatable {
    /// Whether it is this scalar.
    case equals(JSONTree)
    /// Whether it is there, and not null; or whether it is not.
    case isPresent(Bool)
  }

  /// The member.
  public let member: String
  /// What is asked of it.
  public let test: Test

  /// Makes a condition.
  public init(member: String, _ test: Test) {
    self.member = member
    self.test = test
  }

  /// As plans and messages name it: `type is "url"`.
  var title: String {
    switch test {
    case .equals(let value): "\(member) is \(DerivedForm(value).display)"
    case .isPresent(let flag): flag ? "there is \(member)" : "there is no \(member)"
    }
  }
}
