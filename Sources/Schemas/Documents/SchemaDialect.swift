// Which vocabularies are in force in a schema: what its `$schema` names (JSON Schema Core 2020-12, section 8.1).

import Basics
import PropertyLists

/// The vocabularies that a schema is written in.
struct SchemaDialect {
  /// The meta-schema of the standard.
  static let standardURI = "https://json-schema.org/draft/2020-12/schema"

  /// The standard dialect: all vocabularies, with formats as annotations.
  static let standard = SchemaDialect(
    vocabularies: Set(SchemaKeyword.Vocabulary.allCases).subtracting([.formatAssertion]))

  let vocabularies: Set<SchemaKeyword.Vocabulary>

  /// Whether a keyword is in force.
  func knows(_ keyword: SchemaKeyword) -> Bool {
    vocabularies.contains(keyword.vocabulary)
      || keyword.vocabulary == .formatAnnotation && vocabularies.contains(.formatAssertion)
  }

  /// Whether formats are asserted regardless of the user's options.
  var assertsFormats: Bool { vocabularies.contains(.formatAssertion) }
}

extension SchemaDialect {
  /// Reads `$vocabulary` of a meta-schema; one without it is the standard dialect.
  ///
  /// - Throws: `ArchiveError` if a required vocabulary is unknown.
  init(metaSchema: JSONTree, uri: String) throws(ArchiveError) {
    guard let members = metaSchema["$vocabulary"]?.members else {
      self = .standard
      return
    }
    var vocabularies: Set<SchemaKeyword.Vocabulary> = [.core, .archtool]
    for (name, isRequired) in members {
      if let vocabulary = SchemaKeyword.Vocabulary(uri: name) {
        vocabularies.insert(vocabulary)
      } else if isRequired.boolean == true {
        throw ArchiveError(
          .unsupported, "the meta-schema \(uri) requires the vocabulary \(name), which is not known"
        )
      }
    }
    self.vocabularies = vocabularies
  }
}
