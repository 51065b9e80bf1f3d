// Operations of lens files as JSON.

import ArchiveBasics
import ArchivePropertyLists

/// Makes the operations of a lens file.
package enum LensTrees {
  /// The operation that stands for a choice nobody has made; no lens with it can be used.
  static let open = "?"

  /// An operation, without the arguments that are nil.
  static func operation(_ word: String, _ arguments: (String, JSONTree?)...) -> JSONTree {
    .members([(word, .members(JSONTree.present(arguments)))])
  }

  /// An operation on a member, or on the value itself, with further texts.
  static func operation(
    _ word: String, on name: String?, _ arguments: KeyValuePairs<String, String>
  ) -> JSONTree {
    let given = arguments.map { ($0.key, JSONTree.string($0.value)) }
    return .members([(word, .members((name.map { [("name", .string($0))] } ?? []) + given))])
  }

  static func rename(_ source: String, _ destination: String) -> JSONTree {
    operation("rename", on: nil, ["source": source, "destination": destination])
  }

  /// Operations on the value of a member, or on the value itself; none if there are none.
  static func within(_ name: String?, _ operations: [JSONTree]) -> [JSONTree] {
    guard let name, !operations.isEmpty else { return operations }
    return [operation("in", ("name", .string(name)), ("lens", .list(operations)))]
  }

  /// Operations on the parts of a value.
  static func map(_ operations: [JSONTree]) -> [JSONTree] {
    operations.isEmpty ? [] : [operation("map", ("lens", .list(operations)))]
  }

  static func use(_ lens: String) -> JSONTree { .members([("use", .string(lens))]) }

  /// A choice that is open, with the operations to choose from.
  static func question(_ text: String, _ candidates: [[JSONTree]]) -> JSONTree {
    operation(
      open, ("question", .string(text)), ("candidates", .list(candidates.map { .list($0) })))
  }

  static func file(
    _ operations: [JSONTree], named: [(name: String, operations: [JSONTree])]
  ) -> JSONTree {
    let lenses = named.map { ($0.name, JSONTree.list($0.operations)) }
    return .members(
      (lenses.isEmpty ? [] : [("lenses", .members(lenses))]) + [("lens", .list(operations))])
  }

  /// Whether some operations only use a lens, so that they change nothing if that is the lens that they are.
  static func onlyUse(_ lens: String, _ operations: [JSONTree]) -> Bool {
    operations.allSatisfy { operation in
      guard let (word, arguments) = operation.members?.first else { return false }
      if word == "use" { return arguments == .string(lens) }
      guard ["in", "map"].contains(word), let inner = arguments["lens"]?.list else { return false }
      return onlyUse(lens, inner)
    }
  }

  /// Whether a choice is open in some operations.
  static func hasQuestion(_ operations: [JSONTree]) -> Bool {
    operations.contains { operation in
      guard let (word, arguments) = operation.members?.first else { return false }
      return word == open || hasQuestion(arguments["lens"]?.list ?? [])
    }
  }

  /// The locations of the open choices of a lens file, as JSON Pointers, and what is asked.
  package static func questions(
    in tree: JSONTree, at pointer: String = ""
  ) -> [(pointer: String, text: String)] {
    if let list = tree.list {
      return list.enumerated().flatMap { questions(in: $1, at: "\(pointer)/\($0)") }
    }
    return (tree.members ?? []).flatMap { name, value -> [(pointer: String, text: String)] in
      if name == open, let text = value["question"]?.string { return [(pointer, text)] }
      return questions(in: value, at: pointer + "/" + JSONPointer.escaped(name))
    }
  }

  /// Operations in a line for people.
  static func title(_ operations: [JSONTree]) -> String {
    operations.map { operation in
      guard let (word, arguments) = operation.members?.first else { return operation.compactText }
      // What a conversion, a default or an inner lens is, only its arguments tell.
      let isWhole = (arguments.members ?? []).contains { $0.1.string == nil }
      guard !isWhole, word != "convert",
        let lens = try? LensReader.read(file([operation], named: []))
      else { return operation.compactText }
      return lens.operations.map(\.title).joined()
    }.joined(separator: ", ")
  }
}

/// A choice that nothing but a person can make.
package struct LensQuestion: Sendable {
  /// The location in the old model.
  package let path: GraphPath
  /// What is asked.
  package let text: String
  /// The operations to choose from, as JSON or in words; empty if nothing is known.
  package let candidates: [String]
}
