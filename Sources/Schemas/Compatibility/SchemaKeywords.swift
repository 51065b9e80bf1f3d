// Which keywords of JSON Schema 2020-12 say something of values, and which only describe.

/// The keywords by what they do.
package enum SchemaKeywords {
  /// Keywords that no value can break.
  static let annotations = Set(
    SchemaKeyword.all.filter { [.core, .metaData, .content].contains($0.value.vocabulary) }.keys
  ).subtracting(["$ref", "$dynamicRef"])

  /// Annotations whose change a reader may want to know of.
  static let notes = [
    "title", "description", "$comment", "default", "examples", "deprecated", "readOnly",
    "writeOnly", "contentEncoding", "contentMediaType",
  ]

  /// Keywords that hold schemas which look at the same value.
  static let applicators: Set<String> = [
    "$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else",
    "dependentSchemas",
  ]

  /// Keywords that mean nothing without their neighbour: the neighbour speaks for them.
  static let spokenFor: Set<String> = ["then", "else", "minContains", "maxContains"]

  /// Keywords of the classes and the storage that archives keep beside values.
  package static let structure: Set<String> = ["x-class", "x-classes", "x-storage", "x-mutable"]

  /// Whether a keyword says nothing of values.
  static func isAnnotation(_ keyword: String, _ options: SchemaContainment.Options) -> Bool {
    if keyword == "format" { return !options.assertsFormat }
    if keyword == "x-archive" { return !options.comparesArchives }
    if structure.contains(keyword) { return !options.comparesStructure }
    return annotations.contains(keyword)
  }
}
