// The option that colors output.

import Basics

extension ParsedArguments {
  /// What `--color` says.
  public var colorChoice: TerminalStyle.Choice {
    value(of: .color).flatMap(TerminalStyle.Choice.init) ?? .auto
  }
}
