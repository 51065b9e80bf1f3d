// Describes the rules of a report, in a sentence each.

import Basics
import KeyedArchives
import Schemas

/// Describes rules.
enum RuleDescription {
  /// The description of the rule that a problem violates.
  static func text(of diagnostic: Diagnostic) -> String {
    if diagnostic.isLint, let lint = Lint(rawValue: diagnostic.rule) {
      return lint.explanation.prefix(1).uppercased() + lint.explanation.dropFirst()
        + (lint.explanation.hasSuffix(".") ? "" : ".")
    }
    if diagnostic.rule == ArchiveError.Code.missingValue.rule {
      return "The path of --at leads to data in the file."
    }
    if diagnostic.expectation == nil { return "The file can be read and a schema fits it." }
    switch diagnostic.rule {
    case "error-payload": return "The archive has the model, not an error of a service."
    case "x-archive": return "The archive has the envelope and the class that its schema names."
    case "x-plist-type": return "The value has the property list type that its schema names."
    case "x-class": return "The object is of the class that its schema names, or derives from it."
    case "x-classes": return "The object's superclasses are those that its schema names."
    case "x-storage": return "The object stores the value as its schema says: inline or boxed."
    case "x-archived": return "The data has the archive that its schema names."
    case "x-mutable": return "The object is mutable, or not, as its schema says."
    case "uniqueKeys": return "No key is repeated."
    case "cycle": return "No value contains itself."
    case Diagnostic.deprecation: return "No value is present that the schema marks as deprecated."
    case "coercion": return "The class decodes the value with the method for its type."
    default: return "The value fits the keyword '\(diagnostic.rule)' of its schema."
    }
  }
}
