// Finds locations with the same shape: the same members of the same types, whatever their values.

/// The shapes of locations, as numbers.
struct ShapeTable {
  private struct Shape: Hashable {
    struct Member: Hashable {
      let name: String
      let isRequired: Bool
      let shape: Int
    }

    let kinds: ObservedKinds
    let classNames: Set<String>
    let elements: Int?
    let archived: Int?
    let rest: Int?
    let isMap: Bool
    let members: [Member]
  }

  private var known: [Shape: Int] = [:]
  /// The shape of each finished location.
  private(set) var shapes: [Int: Int] = [:]
  private let mapNames: Int

  init(mapNames: Int) { self.mapNames = mapNames }

  /// Finds the shape of a location and of all locations in it, innermost first.
  ///
  /// Records that look like maps become maps.
  ///
  /// - Returns: the shape's number.
  mutating func settle(_ place: Int, in tree: inout ObservationTree) -> Int {
    let elements = tree[place].elements.map { settle($0, in: &tree) }
    let archived = tree[place].archives.place.map { settle($0, in: &tree) }
    var members: [Shape.Member] = []
    let dictionaries = tree[place].dictionaries
    for member in tree[place].members {
      let shape = settle(member.place, in: &tree)
      let isRequired = member.count == dictionaries
      members.append(Shape.Member(name: member.name, isRequired: isRequired, shape: shape))
    }
    if looksLikeMap(tree[place], Set(members.map(\.shape))) {
      tree.makeMap(place)
      members = []
    }
    let shape = Shape(
      kinds: Self.loose(tree[place].kinds), classNames: tree[place].classNames, elements: elements,
      archived: archived, rest: tree[place].rest.map { settle($0, in: &tree) },
      isMap: tree[place].isMap,
      members: members.sorted { $0.name < $1.name })
    let number = known[shape] ?? known.count
    known[shape] = number
    shapes[place] = number
    return number
  }

  /// Treats 64, 64.5 and an occasional 1 that is stored as a boolean as the same shape.
  private static func loose(_ kinds: ObservedKinds) -> ObservedKinds {
    guard !kinds.isDisjoint(with: [.integer, .real]) else { return kinds }
    return kinds.union([.integer, .real]).subtracting(.boolean)
  }

  private func looksLikeMap(_ place: ObservedLocation, _ memberShapes: Set<Int>) -> Bool {
    // A class's fields are a record, however many it has.
    place.kinds.contains(.dictionary) && place.members.count >= max(mapNames, 1)
      && place.dictionaries > 1 && memberShapes.count == 1
      && place.members.allSatisfy { $0.count * 2 <= place.dictionaries }
  }
}
