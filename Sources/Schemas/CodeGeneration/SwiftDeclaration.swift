// What generated source declares: records, strings of an enumeration, unions.

/// A type that is declared.
struct SwiftDeclaration {
  /// A stored property.
  struct Property {
    /// The member of the model.
    let key: String
    /// The property's name, without backticks.
    let name: String
    var type: SwiftType
    let documentation: String?
  }

  /// A case of an enumeration.
  struct Case {
    /// The case's name, without backticks.
    let name: String
    /// The string that it stands for.
    let text: String
  }

  /// A case of a union.
  struct Alternative {
    /// The case's name, without backticks.
    let name: String
    let type: SwiftType
  }

  /// What is declared.
  enum Form {
    /// Members with a type each; `isReference` if values hold values of the same type.
    case record([Property], isReference: Bool)
    /// Some strings.
    case strings([Case])
    /// One of several types.
    case union([Alternative])
  }

  let name: String
  let documentation: String?
  var form: Form
}
