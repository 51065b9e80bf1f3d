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

// MARK: - The built-in meta-schemas: those of JSON Schema 2020-12, and archtool's own

/// Schemas of schemas.
public enum MetaSchemas {
  /// The URI of the meta-schema that describes `x-plist-type` and `x-archive` in addition to the standard keywords.
  static let archtoolURI = "urn:archtool:meta-schema"

  /// The meta-schema of archtool's schemas, as JSON.
  public static var archtool: [UInt8] { PackageResources.archtool_meta_schema_json }

  /// The meta-schema at a URI; nil if there is none.
  static func document(_ uri: String) throws(ArchiveError) -> JSONTree? {
    if uri == archtoolURI { return try JSONTree(json: archtool) }
    let base = "https://json-schema.org/draft/2020-12/"
    guard uri.hasPrefix(base) else { return nil }
    let name = uri.dropFirst(base.count)
    if name == "schema" { return try JSONTree(json: PackageResources.draft2020_12_schema_json) }
    guard name.hasPrefix("meta/"), let bytes = vocabulary(String(name.dropFirst(5))) else {
      return nil
    }
    return try JSONTree(json: bytes)
  }

  private static func vocabulary(_ name: String) -> [UInt8]? {
    switch name {
    case "core": PackageResources.draft2020_12_core_json
    case "applicator": PackageResources.draft2020_12_applicator_json
    case "unevaluated": PackageResources.draft2020_12_unevaluated_json
    case "validation": PackageResources.draft2020_12_validation_json
    case "meta-data": PackageResources.draft2020_12_meta_data_json
    case "format-annotation": PackageResources.draft2020_12_format_annotation_json
    case "format-assertion": PackageResources.draft2020_12_format_assertion_json
    case "content": PackageResources.draft2020_12_content_json
    default: nil
    }
  }
}
