// One place of the models: the root, a member, the elements of an array, the fields of a class.

/// What was seen in one place.
struct ObservedPlace {
  /// A member of the dictionaries of a place.
  struct Member {
    let name: String
    let place: Int
    /// How many dictionaries have it.
    var count = 0
    /// The number of the last dictionary that had it: a key that stands twice counts once.
    var last = 0
  }

  /// How many containers lie around the place, up to the root or the nearest object of a class.
  let depth: Int
  var kinds: ObservedKinds = []
  var numbers = ObservedNumbers()
  var strings = ObservedStrings()
  var counts = ObservedRange()
  /// The place of the elements of arrays; nil if all were empty.
  var elements: Int?
  /// How many dictionaries there were.
  var dictionaries = 0
  var members: [Member] = []
  private(set) var numbersOfNames: [String: Int] = [:]
  var order = MemberOrder()
  /// The place of the values whose keys are no names of members.
  var rest: Int?
  /// Whether the dictionaries are maps: all values are in `rest`.
  var isMap = false
  /// What archives of objects kept beside the values.
  var structure = ObservedStructure()
  /// The archives that its data values held.
  var archives = ObservedArchives()
  /// The classes of the objects that were seen.
  var classNames: Set<String> = []

  init(depth: Int) { self.depth = depth }

  /// The number of a member by its name; nil if there is none.
  ///
  /// - Returns: -1 for a name that is spelled otherwise and that Unicode holds equal.
  func number(of name: String) -> Int? {
    guard let number = numbersOfNames[name] else { return nil }
    return members[number].name.utf8.elementsEqual(name.utf8) ? number : -1
  }

  /// Adds a member.
  ///
  /// - Returns: its number.
  mutating func addMember(_ name: String, place: Int) -> Int {
    members.append(Member(name: name, place: place))
    numbersOfNames[name] = members.count - 1
    return members.count - 1
  }

  /// Forgets the members, whose values are in `rest` now.
  mutating func becomeMap() {
    isMap = true
    members = []
    numbersOfNames = [:]
    order = MemberOrder()
  }

  /// The members in the order in which a schema lists them.
  var sortedMembers: [Member] { order.sorted(members.map(\.name)).map { members[$0] } }
}
