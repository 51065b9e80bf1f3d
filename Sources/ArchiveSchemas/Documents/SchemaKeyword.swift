// The keywords of JSON Schema 2020-12: their vocabularies, and where they contain schemas.
//
// Source: JSON Schema Core 2020-12 sections 7 to 11, Validation 2020-12 sections 6 to 9.

import ArchiveBasics
import ArchivePropertyLists

/// A keyword that this program knows.
package struct SchemaKeyword {
  /// A part of the standard that a dialect may leave out.
  enum Vocabulary: String, CaseIterable {
    case core
    case applicator
    case unevaluated
    case validation
    case metaData = "meta-data"
    case formatAnnotation = "format-annotation"
    case formatAssertion = "format-assertion"
    case content
    /// `x-plist-type`, `x-archive`, `x-class` and the other keywords with that prefix: always in force.
    case archtool

    init?(uri: String) {
      let prefix = "https://json-schema.org/draft/2020-12/vocab/"
      guard uri.hasPrefix(prefix) else { return nil }
      self.init(rawValue: String(uri.dropFirst(prefix.count)))
    }
  }

  /// Where a keyword's value contains schemas.
  enum Shape {
    case none
    case schema
    case list
    case map
  }

  let vocabulary: Vocabulary
  let shape: Shape
  /// Whether no value can violate it.
  let isAnnotation: Bool

  static let all: [String: SchemaKeyword] = {
    var all: [String: SchemaKeyword] = [:]
    func add(
      _ vocabulary: Vocabulary, _ shape: Shape, isAnnotation: Bool = false, _ names: String...
    ) {
      for name in names {
        all[name] = SchemaKeyword(
          vocabulary: vocabulary, shape: shape, isAnnotation: isAnnotation)
      }
    }
    add(
      .core, .none, isAnnotation: true, "$schema", "$id", "$anchor", "$dynamicAnchor",
      "$vocabulary", "$comment")
    add(.core, .none, "$ref", "$dynamicRef")
    // Earlier drafts named `$defs` `definitions`; references to it are common.
    add(.core, .map, isAnnotation: true, "$defs", "definitions")
    add(.applicator, .list, "allOf", "anyOf", "oneOf")
    add(.applicator, .schema, "not", "if", "then", "else")
    add(.applicator, .list, "prefixItems")
    add(.applicator, .schema, "items", "contains")
    add(.applicator, .schema, "additionalProperties", "propertyNames")
    add(.applicator, .map, "properties", "patternProperties", "dependentSchemas")
    // The predecessor, in earlier drafts, of the two keywords that begin with `dependent`.
    add(.applicator, .map, "dependencies")
    add(.unevaluated, .schema, "unevaluatedItems")
    add(.unevaluated, .schema, "unevaluatedProperties")
    add(.validation, .none, "type", "const", "enum")
    add(
      .validation, .none, "multipleOf", "maximum", "exclusiveMaximum", "minimum",
      "exclusiveMinimum")
    add(.validation, .none, "maxLength", "minLength", "pattern")
    add(.validation, .none, "maxItems", "minItems", "uniqueItems")
    // These two take effect through `contains`.
    add(.validation, .none, "maxContains", "minContains")
    add(
      .validation, .none, "maxProperties", "minProperties", "required",
      "dependentRequired")
    add(
      .metaData, .none, isAnnotation: true, "title", "description", "default", "deprecated",
      "readOnly", "writeOnly", "examples")
    add(.formatAnnotation, .none, "format")
    add(.content, .none, isAnnotation: true, "contentEncoding", "contentMediaType")
    add(.content, .schema, isAnnotation: true, "contentSchema")
    add(.archtool, .none, "x-plist-type", "x-archive")
    for name in structure { add(.archtool, .none, name) }
    add(.archtool, .schema, "x-archived")
    add(.archtool, .none, "x-encoded")
    return all
  }()

  /// Keywords about the classes and the storage that archives keep in addition to values.
  package static let structure: Set<String> = [
    "x-class", "x-classes", "x-storage", "x-mutable", "x-key-class",
  ]

  /// Annotations whose changes may interest a reader.
  static let notes = [
    "title", "description", "$comment", "default", "examples", "deprecated", "readOnly",
    "writeOnly", "contentEncoding", "contentMediaType",
  ]

  /// Keywords with schemas that apply to the same value; `$recursiveRef` is from an earlier draft.
  static let sameValue: Set<String> = [
    "$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else",
    "dependentSchemas",
  ]

  /// Whether a keyword does not constrain values.
  static func isAnnotation(_ name: String, _ options: SchemaComparison.Options) -> Bool {
    if name == "format" { return !options.assertsFormat }
    if name == "x-archive" { return !options.comparesArchives }
    if structure.contains(name) { return !options.comparesStructure }
    return all[name]?.isAnnotation ?? false
  }
}

// MARK: - Unknown keywords in a schema: most likely mistakes

enum UnknownKeywords {
  /// The unknown keywords, with their locations, except those that begin with `x-`, which are custom.
  static func find(
    in tree: JSONTree, at pointer: String = ""
  ) -> [(pointer: String, name: String)] {
    (tree.members ?? []).flatMap { name, value -> [(pointer: String, name: String)] in
      let location = pointer + "/" + JSONPointer.escaped(name)
      guard let keyword = SchemaKeyword.all[name] else {
        return name.hasPrefix("x-") ? [] : [(location, name)]
      }
      return SchemaStore.parts(of: value, keyword.shape).flatMap { find(in: $1, at: location + $0) }
    }
  }

  /// The known keyword that differs only in letter case or by one character; nil if there is none.
  static func nearest(to name: String) -> String? {
    let letters = Array(name.lowercased().unicodeScalars)
    return SchemaKeyword.all.keys.sorted().first { known in
      let other = Array(known.lowercased().unicodeScalars)
      let common = zip(letters, other).prefix { $0 == $1 }.count
      let rest = (letters.dropFirst(common), other.dropFirst(common))
      return rest.0.elementsEqual(rest.1.dropFirst()) || rest.0.dropFirst().elementsEqual(rest.1)
        || rest.0.dropFirst().elementsEqual(rest.1.dropFirst())
    }
  }
}

// MARK: - Which vocabularies are in force in a schema: what its `$schema` names (JSON Schema Core 2020-12, section 8.1)

/// The vocabularies that a schema is written in.
struct SchemaDialect {
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
package enum MetaSchemas {
  /// The URI of the meta-schema that describes `x-plist-type` and `x-archive` in addition to the standard keywords.
  static let archtoolURI = "urn:archtool:meta-schema"

  /// The meta-schema of archtool's schemas, as JSON.
  package static var archtool: [UInt8] { PackageResources.archtool_meta_schema_json }

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
