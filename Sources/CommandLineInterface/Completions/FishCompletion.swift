// Completions for fish, from version 3.1 on.

/// Writes the script for fish.
struct FishCompletion {
  /// The commands.
  let table: CommandTable

  /// The script, which defines functions and registers them.
  var script: String {
    let name = table.program
    return [
      """
      # fish completion for \(name), written by `\(name) completions fish`.

      # Prints the words after the program, or after a group of commands.
      \(function("commands", on: #""$argv[1]""#, commands))
      # Prints the options of a command.
      \(function("options", on: #""$argv[1]""#, options))
      # Prints the source of an option's value.
      \(function("value", on: #""$argv[1] $argv[2]""#, values))
      # Prints the source of an operand.
      \(function("operand", on: #""$argv[1] $argv[2]""#, operands))
      """, Self.machinery(name),
    ].joined(separator: "\n")
  }

  // MARK: Tables

  private func function(_ name: String, on subject: String, _ cases: CompletionCases) -> String {
    var text = "function __\(table.program)_\(name)\n    switch \(subject)\n"
    for (patterns, action) in cases.branches {
      text += "        case \(patterns.map(Self.quoted).joined(separator: " "))\n"
      text += "            \(action)\n"
    }
    return text + "        case '*'\n            return 1\n    end\nend\n"
  }

  private var commands: CompletionCases {
    var cases = CompletionCases()
    for group in [nil] + table.groups.map(Optional.init) {
      cases.add(group ?? "", Self.lines(table.completedCommands(in: group)))
    }
    return cases
  }

  private var options: CompletionCases {
    var cases = CompletionCases()
    for command in table.commands {
      var lines: [(name: String, purpose: String)] = []
      for option in command.allOptions where !option.isHidden {
        let help = option.summaries.last ?? option.help
        for form in [option.longForm, option.shortForm].compactMap({ $0 }) {
          lines.append((form, help.hasSuffix(".") ? String(help.dropLast()) : help))
        }
      }
      cases.add(command.name, Self.lines(lines))
    }
    return cases
  }

  private var values: CompletionCases {
    CompletionCases.ofValues(in: table) { "echo '\(BashCompletion.word($0))'" }
  }

  private var operands: CompletionCases {
    CompletionCases.ofOperands(in: table) { "echo '\(BashCompletion.word($0))'" }
  }

  /// A command that prints names, each with its purpose.
  private static func lines(_ lines: [(name: String, purpose: String)]) -> String {
    #"printf '%s\t%s\n'"#
      + lines.map { " \\\n                \(quoted($0.name)) \(quoted($0.purpose))" }.joined()
  }

  private static func quoted(_ text: String) -> String {
    var quoted = ""
    for character in text {
      if character == "'" || character == "\\" { quoted += "\\" }
      quoted.append(character)
    }
    return "'\(quoted)'"
  }

  // MARK: The code around the tables

  private static func machinery(_ program: String) -> String {
    #"""
    # Prints what the word at the cursor is: its source, the command or group, what precedes the value in the word, and
    # the value.
    function __\#(program)_context
        set -l words (commandline -opc)
        set -e words[1]
        set -l current (commandline -ct)
        set -l command
        set -l group
        set -l option
        set -l ended
        set -l last ''
        set -l number 0
        for word in $words
            if test -z "$command"
                if test -n "$group"
                    set command "$group $word"
                else if test -n "$word"; and __\#(program)_commands "$word" >/dev/null
                    set group $word
                else
                    set command "$word"
                end
            else if test -n "$option"
                set option
            else if test -z "$ended"; and test "$word" = --
                set ended 1
            else if test -z "$ended"; and string match -q -- '--*' "$word"
                __\#(program)_value "$command" "$word" >/dev/null; and set option $word
            else if test -z "$ended"; and string match -q -- '-?*' "$word"
                set -l letter -(string sub -s -1 -- "$word")
                __\#(program)_value "$command" "$letter" >/dev/null; and set option $letter
            else
                set number (math $number + 1)
                set last "$word"
            end
        end
        set -l source nothing
        set -l start ''
        if test -z "$command"
            set source commands
            set command "$group"
            string match -q -- '-*' "$current"; and set source 'words --help -h --version'
        else if test -n "$option"
            set source (__\#(program)_value "$command" "$option")
        else if test -z "$ended"; and string match -q -- '--*=*' "$current"
            set -l parts (string split -m 1 -- = "$current")
            set start "$parts[1]="
            set current "$parts[2]"
            set source (__\#(program)_value "$command" "$parts[1]"; or echo nothing)
        else if test -z "$ended"; and string match -q -- '-*' "$current"
            set source options
        else
            set source (__\#(program)_operand "$command" "$number"; or echo nothing)
            test "$source" = commands; and set command "$last"
        end
        # The quote of a word that is not finished is open.
        set -l plain (string unescape -- "$current"; or string unescape -- "$current'"; or string unescape -- "$current\"")
        printf '%s\n' "$source" "$command" "$start" "$plain"
    end

    function __\#(program)_takes
        set -l context (__\#(program)_context)
        contains -- (string split -m 1 ' ' -- "$context[1]")[1] $argv
    end

    function __\#(program)_candidates
        set -l context (__\#(program)_context)
        set -l source (string split ' ' -- "$context[1]")
        switch "$source[1]"
            case words
                printf '%s\n' "$context[3]"$source[2..-1]
            case commands
                __\#(program)_commands "$context[2]"
            case options
                __\#(program)_options "$context[2]"
            case program program-or-files
                # It answers within a second.
                set -l before (commandline -opc)
                set -l all (commandline -op)
                set -l next (math (count $before) + 1)
                test -n (commandline -ct | string collect); and set next (math $next + 1)
                set -e before[1]
                for candidate in (command \#(program) complete -- $source[2] "$context[4]" $before $all[$next..-1] 2>/dev/null </dev/null)
                    printf '%s\n' "$context[3]$candidate"
                end
        end
    end

    complete -c \#(program) -f
    complete -c \#(program) -n '__\#(program)_takes files program-or-files' -F
    complete -c \#(program) -n '__\#(program)_takes folders' -a '(__fish_complete_directories (commandline -ct))'
    complete -c \#(program) -a '(__\#(program)_candidates)'

    """#
  }
}
