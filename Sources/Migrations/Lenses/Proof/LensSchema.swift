// A schema while lenses are applied to it: as it stands in its document, until an operation looks into it.

import PropertyLists
import Schemas

/// A schema whose values a lens may change in part.
indirect enum LensSchema {
  /// Whatever there is.
  case anything
  /// No value.
  case nothing
  /// A schema of the document, as it stands there.
  case source(SchemaPlace)
  /// Schemas that hold together.
  case all([LensSchema])
  /// Shapes of which a value has one at least.
  case any([ValueShape])
  /// A definition of the document that is being made.
  case defined(String)

  /// Whether no value is known to fit.
  var isNothing: Bool {
    switch self {
    case .nothing: true
    case .source(let place): place.tree == .boolean(false)
    case .all(let parts): parts.contains { $0.isNothing }
    case .any(let shapes): shapes.isEmpty
    case .anything, .defined: false
    }
  }

  /// Whether every value is known to fit.
  var isAnything: Bool {
    switch self {
    case .anything: true
    case .source(let place): place.tree == .boolean(true)
    case .all(let parts): parts.allSatisfy(\.isAnything)
    case .nothing, .any, .defined: false
    }
  }

  /// Both schemas at once.
  func and(_ other: LensSchema) -> LensSchema {
    if isAnything { return other }
    return other.isAnything ? self : .all([self, other])
  }
}

/// One shape of values: what JSON Schema says of them, without any choice in it.
///
/// It may allow more than the schemas that it was made of, never less.
struct ValueShape {
  /// The kinds of value.
  var kinds: ValueKinds = .all
  /// Keywords of scalars; all groups hold.
  var rules: [[(String, JSONTree)]] = []
  /// What holds for objects.
  var members: MemberShape = MemberShape()
  /// What holds for lists.
  var elements: ElementShape = ElementShape()
  /// Whether a schema may look at members that are not among `members`.
  var isUncertain = false
  /// Whether its values come from a lens, so that they get the class and the storage that the target's schema tells.
  var isNew = false

  /// A shape of scalars.
  static func scalar(_ kinds: ValueKinds, _ rules: (String, JSONTree)...) -> ValueShape {
    ValueShape(kinds: kinds, rules: rules.isEmpty ? [] : [rules])
  }

  /// The shape for values of some kinds only.
  func limited(to kinds: ValueKinds) -> ValueShape {
    var result = self
    result.kinds.formIntersection(kinds)
    return result
  }

  /// Whether no value is known to have it.
  var isEmpty: Bool { kinds.isEmpty }

  /// The values of a keyword in all groups.
  func values(of keyword: String) -> [JSONTree] {
    rules.flatMap { group in group.filter { $0.0 == keyword }.map(\.1) }
  }

  /// The only scalars, where the rules list them.
  var listed: [JSONTree]? {
    var result: [JSONTree]?
    let lists = values(of: "const").map { [$0] } + values(of: "enum").compactMap(\.list)
    for values in lists {
      result = result.map { known in known.filter { one in values.contains { $0.isSame(as: one) } }
      }
      if result == nil { result = values }
    }
    if result == nil, kinds == .boolean { return [.boolean(false), .boolean(true)] }
    return result?.filter { !ValueKinds(of: $0, isExact: false).isDisjoint(with: kinds) }
  }
}

/// What holds for the elements of lists.
struct ElementShape {
  var prefix: [LensSchema] = []
  var rest: LensSchema = .anything
  var least = 0
  var most: Int?
  var isUnique = false

  func schema(_ index: Int) -> LensSchema { index < prefix.count ? prefix[index] : rest }

  /// Both at once.
  func and(_ other: ElementShape) -> ElementShape {
    let count = max(prefix.count, other.prefix.count)
    return ElementShape(
      prefix: (0..<count).map { schema($0).and(other.schema($0)) }, rest: rest.and(other.rest),
      least: max(least, other.least),
      most: [most, other.most].compactMap { $0 }.min(),
      isUnique: isUnique || other.isUnique)
  }
}
