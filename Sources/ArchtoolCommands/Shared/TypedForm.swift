// The option `--typed`: JSON with tags for the types that it lacks.

import ArchivePropertyLists
import CommandLineInterface
import KeyedArchives

/// What typed JSON shows: the values of `--typed`.
enum TypedForm: String, OptionChoice {
  /// Values as they are stored, so that the same graph can be made again.
  case stored
  /// Values that objects are resolved to, as in plain JSON.
  case resolved
}

extension OptionDescription {
  static let typedForm = attached(
    "typed", valueName: "FORM", of: TypedForm.allCases.map { $0.rawValue },
    help: """
      Write typed JSON, with tags for types. These are what JSON lacks. With stored, as without FORM, it loses nothing: \
      references and the fields of all objects are written out. With resolved it has the values that dump shows.
      """)
}

extension ParsedArguments {
  /// The form of `--typed`; nil for plain JSON.
  var typedForm: TypedForm? { choice(of: .typedForm) }
}

extension JSONWriter.Options {
  /// Makes the options for a form; nil for plain JSON.
  init(_ form: TypedForm?, isCompact: Bool) {
    self.init(isTyped: form == .stored, isCompact: isCompact)
    if form == .resolved { valueTag = ClassRegistry.jsonTag }
  }
}
