// Completions for zsh, with its own function `_arguments`.

/// Writes the script for zsh.
struct ZshCompletion {
  /// The commands.
  let table: CommandTable

  /// The script: the body of an autoloaded function, which can also be sourced.
  var script: String {
    let name = table.program
    return """
      #compdef \(name)
      # zsh completion for \(name), written by `\(name) completions zsh`.

      \(Self.machinery(name))
      # The commands of the program, or of a group.
      _\(name)_commands() {
        local -a commands
        case $1 in
      \(commands)  esac
        _describe -t commands command commands
      }

      # The options and operands of a command.
      _\(name)_arguments() {
        case $1 in
      \(arguments)  esac
      }

      \(Self.main(name, groups: table.groups, options: table.options.flatMap(specifications)))
      """
  }

  // MARK: Tables

  private var commands: String {
    var text = ""
    for group in [nil] + table.groups.map(Optional.init) {
      text += "    '\(group ?? "")') commands=(\n"
      for (name, purpose) in table.completedCommands(in: group) {
        text += "      " + "\(name):\(purpose)".quotedWord + "\n"
      }
      text += "      ) ;;\n"
    }
    return text
  }

  private var arguments: String {
    table.commands.map { command in
      let options = command.allOptions.filter { !$0.isHidden }.flatMap(specifications)
      let lines = options + operands(of: command)
      return "    '\(command.name)') _arguments -s -S : \\\n"
        + lines.map { "      \($0.quotedWord)" }.joined(separator: " \\\n")
        + " ;;\n"
    }.joined()
  }

  private func operands(of command: CommandDescription) -> [String] {
    let operands = command.operands
    let sources = operands.completionSources(in: table)
    let names =
      (operands.first.map { [$0] } ?? []) + operands.name.split(separator: " ").map(String.init)
    return zip(names, sources).enumerated().map { number, operand in
      let isLast = number == sources.count - 1 && operands.isRepeated
      let start = isLast ? "*" : "\(number + 1)"
      return "\(start):\(Self.escaped(operand.0)):\(action(operand.1))"
    }
  }

  /// An option as `_arguments` reads it; one with a letter excludes its other form.
  private func specifications(_ option: OptionDescription) -> [String] {
    let help = option.summaries.last ?? option.help
    let title = "[\(Self.escaped(help.hasSuffix(".") ? String(help.dropLast()) : help))]"
    let isList = option.isRepeatable && option.needsValue
    let start =
      isList ? "*" : option.shortForm.map { "(\($0) \(option.longForm))" } ?? ""
    guard option.needsValue, let valueName = option.valueName,
      let source = option.completionSource(in: table)
    else {
      return [option.longForm, option.shortForm].compactMap { $0 }.map { start + $0 + title }
    }
    let value = ":\(Self.escaped(valueName)):\(action(source))"
    return [option.longForm + "=", option.shortForm.map { $0 + "+" }].compactMap { $0 }
      .map { start + $0 + title + value }
  }

  private func action(_ source: CompletionSource) -> String {
    switch source {
    case .nothing: " "
    case .files: "_files"
    case .filesAfterKey: "_\(table.program)_files_after_key"
    case .folders: "_files -/"
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .commands: "_\(table.program)_help"
    case .program(let kind, false): "_\(table.program)_ask \(kind)"
    case .program(let kind, true): "_\(table.program)_ask_or_files \(kind)"
    }
  }

  /// A text between the marks of `_arguments`.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      if "[]:\\".contains(character) { escaped += "\\" }
      escaped.append(character)
    }
    return escaped
  }

  // MARK: The code around the tables

  private static func machinery(_ program: String) -> String {
    #"""
    # What the program finds: it answers within a second. The last argument is the kind, the others are for compadd.
    _\#(program)_ask() {
      local -a found
      found=("${(@f)$(command \#(program) complete -- "$argv[-1]" "${(Q)PREFIX}" \
        "${(@Q)line_words[2,line_current-1]}" "${(@Q)line_words[line_current+1,-1]}" 2>/dev/null </dev/null)}")
      found=("${(@)found:#}")
      (( $#found )) || return 1
      local -a ending
      if [[ $found[1] == *= ]]; then ending=(-S '') fi
      compadd "${(@)argv[1,-2]}" "${ending[@]}" -a found
    }

    _\#(program)_ask_or_files() {
      _\#(program)_ask "$@" || _files "${(@)argv[1,-2]}"
    }

    _\#(program)_files_after_key() {
      compset -P '*='
      _files "$@"
    }

    # The operands of help: a command, or a group and one of its commands.
    _\#(program)_help() {
      if (( CURRENT > 2 )); then
        _\#(program)_commands "$words[2]"
      else
        _\#(program)_commands ''
      fi
    }

    """#
  }

  private static func main(_ program: String, groups: [String], options: [String]) -> String {
    #"""
    _\#(program)() {
      local context state state_descr line
      typeset -A opt_args
      local -a line_words=("${words[@]}")
      integer line_current=CURRENT
      _arguments -C -S : \
        \#(options.map { ("(- *)" + withoutExclusion($0)).quotedWord }.joined(separator: " ")) \
        '1: : _\#(program)_commands ""' '*:: :->command' && return
      [[ $state == command ]] || return
      case $words[1] in
        \#(groups.joined(separator: " | ")))
          if (( CURRENT == 2 )); then
            _\#(program)_commands "$words[1]"
          else
            local group=$words[1]
            shift words
            (( CURRENT-- ))
            _\#(program)_arguments "$group $words[1]"
          fi ;;
        *) _\#(program)_arguments "$words[1]" ;;
      esac
    }

    if [[ $funcstack[1] == _\#(program) ]]; then
      _\#(program) "$@"
    else
      compdef _\#(program) \#(program)
    fi

    """#
  }

  /// A specification without the options that it excludes.
  private static func withoutExclusion(_ specification: String) -> String {
    guard specification.first == "(", let end = specification.firstIndex(of: ")") else {
      return specification
    }
    return String(specification[specification.index(after: end)...])
  }
}
