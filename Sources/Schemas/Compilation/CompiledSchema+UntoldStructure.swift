// What a schema leaves open of the classes and the storage that an archive of objects needs of each value.

import KeyedArchives

/// A place of a model whose class or storage the schema does not tell.
package struct UntoldStructure {
  /// The place: `$.owner`.
  package let path: String
  /// The keyword that would tell it.
  package let keyword: String
}

extension CompiledSchema {
  /// The places of objects without a class and of numbers in objects without storage; the root has its class elsewhere.
  ///
  /// - Parameter most: how many are looked for.
  package func untoldStructure(most: Int) -> [UntoldStructure] {
    var result: [UntoldStructure] = []
    var waiting = [(place: root, path: "$", isField: false)]
    var met: Set<Int> = []
    while let (place, path, isField) = waiting.popLast(), result.count < most {
      let types = types(place)
      let rule = structure(place)
      if isField, !types.isDisjoint(with: [.integer, .number, .real, .boolean]),
        rule?.storage == nil, rule?.className == nil
      {
        result.append(UntoldStructure(path: path, keyword: "x-storage"))
      }
      let isDictionary = rule?.className?.hasSuffix("Dictionary") ?? false
      if types.contains(.object), path != "$", rule?.className == nil {
        result.append(UntoldStructure(path: path, keyword: "x-class"))
      }
      guard place != 0, met.insert(place).inserted else { continue }
      for name in memberNames(place).reversed() {
        let member = memberPlace(place, name)
        waiting.append((member, path + ModelPath.step(name), !isDictionary))
      }
      let element = element(place)
      if element != 0 { waiting.append((element, path + ModelPath.anyElement, false)) }
    }
    return result
  }

  /// The types that a place names; none where it names all.
  private func types(_ place: Int) -> TypeMask {
    var result: TypeMask = []
    for place in sameValue(place) {
      if let types = nodes[place].plistTypes ?? nodes[place].types {
        result = result.isEmpty ? types : result.intersection(types)
      }
    }
    return result
  }
}
