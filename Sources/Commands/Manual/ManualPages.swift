// The generated manual pages by their names.

/// The manual pages that are generated from the program.
package enum ManualPages {
  /// The names of their files.
  package static let names = [
    "archtool.1", "archtool-classes.7", "archtool-formats.7", "archtool-lints.7",
  ]

  /// The source of a page.
  ///
  /// - Parameter name: the name of its file.
  /// - Returns: nil if there is no such page.
  package static func render(_ name: String) -> String? {
    switch name {
    case "archtool.1": ManualPage().render()
    case "archtool-classes.7": ClassesPage.render()
    case "archtool-formats.7": FormatsPage().render()
    case "archtool-lints.7": LintsPage().render()
    default: nil
    }
  }
}
