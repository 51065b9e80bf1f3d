// The generated manual pages by their names.

import CommandLineInterface

extension MdocDocument {
  /// The beginning of a page that is generated from the program.
  static func generated(name: String, section: Int, about: String) -> MdocDocument {
    MdocDocument(
      comment:
        "Made by 'archtool help --manual \(name).\(section)' from the description of the commands.",
      name: name, section: section, about: about, date: Version.manualDate)
  }
}

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
