// The keywords of JSON Schema 2020-12: which vocabulary each is of, and where schemas lie within it.
//
// Source: JSON Schema Core 2020-12 sections 7 to 11, Validation 2020-12 sections 6 to 9.

/// A keyword that this program knows.
struct SchemaKeyword {
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
    /// `x-plist-type`, `x-archive`, `x-class` and what else begins so: always in force.
    case archtool

    /// The vocabulary that a URI names, nil if it is not known.
    init?(uri: String) {
      let prefix = "https://json-schema.org/draft/2020-12/vocab/"
      guard uri.hasPrefix(prefix) else { return nil }
      self.init(rawValue: String(uri.dropFirst(prefix.count)))
    }
  }

  /// Where schemas lie within a keyword's value.
  enum Shape {
    /// Nowhere.
    case none
    /// The value is one.
    case schema
    /// The value is an array of them.
    case list
    /// The value is an object whose members are.
    case map
  }

  let vocabulary: Vocabulary
  let shape: Shape

  /// Every keyword by its name.
  static let all: [String: SchemaKeyword] = {
    var all: [String: SchemaKeyword] = [:]
    func add(_ vocabulary: Vocabulary, _ shape: Shape, _ names: String...) {
      for name in names { all[name] = SchemaKeyword(vocabulary: vocabulary, shape: shape) }
    }
    add(
      .core, .none, "$schema", "$id", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor",
      "$vocabulary", "$comment")
    // `definitions` is the name that earlier drafts have for `$defs`; references to it are common.
    add(.core, .map, "$defs", "definitions")
    add(.applicator, .list, "allOf", "anyOf", "oneOf", "prefixItems")
    add(
      .applicator, .schema, "not", "if", "then", "else", "items", "contains",
      "additionalProperties", "propertyNames")
    // `dependencies` is what earlier drafts had in the place of the two keywords that begin with `dependent`.
    add(
      .applicator, .map, "properties", "patternProperties", "dependentSchemas", "dependencies")
    add(.unevaluated, .schema, "unevaluatedItems", "unevaluatedProperties")
    add(
      .validation, .none, "type", "const", "enum", "multipleOf", "maximum", "exclusiveMaximum",
      "minimum", "exclusiveMinimum", "maxLength", "minLength", "pattern", "maxItems", "minItems",
      "uniqueItems", "maxContains", "minContains", "maxProperties", "minProperties", "required",
      "dependentRequired")
    add(
      .metaData, .none, "title", "description", "default", "deprecated", "readOnly", "writeOnly",
      "examples")
    add(.formatAnnotation, .none, "format")
    add(.content, .none, "contentEncoding", "contentMediaType")
    add(.content, .schema, "contentSchema")
    add(
      .archtool, .none, "x-plist-type", "x-archive", "x-class", "x-classes", "x-storage",
      "x-mutable")
    add(.archtool, .schema, "x-archived")
    return all
  }()
}
