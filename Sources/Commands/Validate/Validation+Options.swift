// How the options of `archtool validate` select the schemas for validation.

import CommandLineInterface
import Schemas

extension Validation {
  /// The validation for a command line.
  init(_ arguments: ParsedArguments) throws {
    let sources = SchemaSources(arguments)
    let limit = try arguments.integer(of: .maximumErrors) ?? 0
    let most = limit == 0 ? ValidationOutcome.usualViolations : min(limit, 1_000_000)
    if let path = arguments.value(of: .schemaFile) {
      self.init(
        catalog: SchemaCatalog(families: []), family: nil,
        version: try sources.version(file: path), mostViolations: most)
      return
    }
    let catalog =
      arguments.has(.formatOnly) ? SchemaCatalog(families: []) : try sources.catalog()
    let selection = try SchemaSelection(arguments.value(of: .schema), in: catalog)
    self.init(
      catalog: catalog, family: selection.family, version: selection.version, mostViolations: most)
  }
}
