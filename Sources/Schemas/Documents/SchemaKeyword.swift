// The keywords of JSON Schema 2020-12: their vocabularies, and where they contain schemas.
//
// Source: JSON Schema Core 2020-12 sections 7 to 11, Validation 2020-12 sections 6 to 9.

import PropertyLists

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

    /// The vocabulary at a URI; nil if it is unknown.
    init?(uri: String) {
      let prefix = "https://json-schema.org/draft/2020-12/vocab/"
      guard uri.hasPrefix(prefix) else { return nil }
      self.init(rawValue: String(uri.dropFirst(prefix.count)))
    }
  }

  /// Where a keyword's value contains schemas.
  enum Shape {
    /// Nowhere.
    case none
    /// The value is a schema.
    case schema
    /// The value is an array of schemas.
    case list
    /// The value is an object whose members are schemas.
    case map
  }

  let vocabulary: Vocabulary
  let shape: Shape
  /// Whether no value can violate it.
  let isAnnotation: Bool

  /// Every keyword by its name.
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
  static let inPlace: Set<String> = [
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

/// Finds unknown keywords.
enum UnknownKeywords {
  /// The unknown keywords, with their locations, except those that begin with `x-`, which are custom.
  static func find(in tree: JSONTree) -> [(pointer: String, name: String)] {
    var found: [(String, String)] = []
    look(at: tree, "", &found)
    return found
  }

  private static func look(
    at tree: JSONTree, _ pointer: String, _ found: inout [(String, String)]
  ) {
    for (name, value) in tree.members ?? [] {
      let place = pointer + "/" + JSONPointer.escaped(name)
      guard let keyword = SchemaKeyword.all[name] else {
        if !name.hasPrefix("x-") { found.append((place, name)) }
        continue
      }
      for (suffix, part) in SchemaStore.parts(of: value, keyword.shape) {
        look(at: part, place + suffix, &found)
      }
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
