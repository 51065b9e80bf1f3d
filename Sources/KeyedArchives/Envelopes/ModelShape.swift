// What a schema knows of a model's types, for writers that must spell values as a coder would.

import ObjectGraph

/// The type that a model's number has in the application; booleans are numbers of 0 and 1 in NSNumber.
public enum NumberShape: Sendable {
  /// As it is.
  case any
  /// An integer: an integral real is written as one.
  case integer
  /// A real: an integer is written as one.
  case real
  /// A boolean: 0 and 1 are written as one.
  case boolean
}

/// A description of a model by numbered places; place 0 says nothing of its value.
public protocol ModelShape {
  /// The place of the whole model.
  var root: Int { get }
  /// The place of a member; nil if the model has no such member.
  func member(_ place: Int, _ key: Text) -> Int?
  /// The place of a list's elements.
  func element(_ place: Int) -> Int
  /// The type of a number.
  func number(_ place: Int) -> NumberShape
  /// What is known of classes and storage; nil if nothing is.
  func structure(_ place: Int) -> StructureRule?
}

extension ModelShape {
  /// Nothing is known unless a shape says otherwise.
  public func structure(_ place: Int) -> StructureRule? { nil }
}

/// A shape that says nothing: every value is taken as it is.
public struct AnyShape: ModelShape {
  /// Makes the shape.
  public init() {}
  /// The only place.
  public var root: Int { 0 }
  /// Every member is taken as it is.
  public func member(_ place: Int, _ key: Text) -> Int? { 0 }
  /// Every element is taken as it is.
  public func element(_ place: Int) -> Int { 0 }
  /// Every number is taken as it is.
  public func number(_ place: Int) -> NumberShape { .any }
}
