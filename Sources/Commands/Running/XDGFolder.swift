// The user's folders for programs (XDG Base Directory Specification).

import Basics

/// Folders that the environment specifies, or their default locations below the home folder.
package enum XDGFolder {
  /// The user's configuration: `$XDG_CONFIG_HOME` or `~/.config`; nil if there is no home folder either.
  package static var configuration: String? { folder("XDG_CONFIG_HOME", usual: "/.config") }

  /// The state between runs: `$XDG_STATE_HOME` or `~/.local/state`; nil if there is no home folder either.
  package static var state: String? { folder("XDG_STATE_HOME", usual: "/.local/state") }

  /// The text of an environment variable; nil if it is unset or empty.
  package static func variable(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(path: value)
    return text.isEmpty ? nil : text
  }

  private static func folder(_ name: String, usual: String) -> String? {
    // A relative path must be ignored.
    if let path = variable(name), path.hasPrefix("/") { return path }
    return variable("HOME").map { $0 + usual }
  }
}
