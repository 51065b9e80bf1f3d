// The keywords of JSON Schema 2020-12: which vocabulary each is of, and where schemas lie within it.
//
// Source: JSON Schema Core 2020-12 sections 7 to 11, Validation 2020-12 sections 6 to 9.

import PropertyLists

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

// MARK: - Keywords of a schema that mean nothing to anybody: slips, most likely

/// Finds keywords that are not known.
enum UnknownKeywords {
  /// The keywords that are not known, with their places; those that begin with `x-` are somebody's own.
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

  /// The known keyword that differs in letter case or by one character alone; nil if there is none.
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
