// The user's folders for programs (XDG Base Directory Specification).

import Basics

/// Folders that the environment names, or their usual places below the home folder.
public enum XDGFolder {
  /// What a person configures: `$XDG_CONFIG_HOME` or `~/.config`; nil if there is no home folder either.
  public static var configuration: String? { folder("XDG_CONFIG_HOME", usual: "/.config") }

  /// What programs keep between runs: `$XDG_STATE_HOME` or `~/.local/state`; nil if there is no home folder either.
  public static var state: String? { folder("XDG_STATE_HOME", usual: "/.local/state") }

  /// The text of a variable of the environment; nil if it is not set, or empty.
  public static func variable(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(path: value)
    return text.isEmpty ? nil : text
  }

  private static func folder(_ name: String, usual: String) -> String? {
    // A relative path is to be ignored.
    if let path = variable(name), path.hasPrefix("/") { return path }
    return variable("HOME").map { $0 + usual }
  }
}
