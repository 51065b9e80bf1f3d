// Completions for bash, from version 3.2 on, with or without the package bash-completion.

/// Writes the script for bash.
struct BashCompletion {
  /// The commands.
  let table: CommandTable

  /// The script, which defines functions and registers them.
  var script: String {
    [
      """
      # bash completion for \(table.program), written by `\(table.program) completions bash`.

      # Sets `found` to the words after the program, or after a group of commands.
      \(function("commands", on: "$1", commands))
      # Sets `found` to the options of a command.
      \(function("options", on: "$1", options))
      # Sets `source` to the source of an option's value.
      \(function("value", on: "$1 $2", values))
      # Sets `source` to the source of an operand.
      \(function("operand", on: "$1 $2", operands))
      """, Self.machinery(table.program), Self.main(table.program),
    ].joined(separator: "\n")
  }

  // MARK: Tables

  private func function(_ name: String, on subject: String, _ cases: CompletionCases) -> String {
    var text = "_\(table.program)_\(name)() {\n  case \"\(subject)\" in\n"
    for (patterns, action) in cases.branches {
      text += patterns.map { "    \(Self.pattern($0))" }.joined(separator: " | \\\n") + ")\n"
      text += "      \(action) ;;\n"
    }
    return text + "    *) return 1 ;;\n  esac\n}\n"
  }

  /// A pattern in quotes, but for its asterisks.
  private static func pattern(_ text: String) -> String {
    if text.isEmpty { return "''" }
    return text.split(separator: "*", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "'\($0)'" }.joined(separator: "*")
  }

  private var commands: CompletionCases {
    var cases = CompletionCases()
    for group in [nil] + table.groups.map(Optional.init) {
      let names = table.completedCommands(in: group).map(\.name)
      let pattern = group ?? ""
      cases.add(pattern, "found='\(names.joined(separator: " "))'")
    }
    return cases
  }

  private var options: CompletionCases {
    var cases = CompletionCases()
    for command in table.commands {
      let options = command.allOptions.filter { !$0.isHidden }
      let forms = options.map(\.longForm) + options.compactMap(\.shortForm)
      cases.add(command.name, "found='\(forms.joined(separator: " "))'")
    }
    return cases
  }

  private var values: CompletionCases {
    CompletionCases.ofValues(in: table) { "source='\(Self.word($0))'" }
  }

  private var operands: CompletionCases {
    CompletionCases.ofOperands(in: table) { "source='\(Self.word($0))'" }
  }

  /// A source as the script names it.
  static func word(_ source: CompletionSource) -> String {
    switch source {
    case .nothing: "nothing"
    case .files, .filesAfterKey: "files"
    case .folders: "folders"
    case .words(let words): "words " + words.joined(separator: " ")
    case .commands: "commands"
    case .program(let kind, let orFiles): orFiles ? "program-or-files \(kind)" : "program \(kind)"
    }
  }

  // MARK: The code around the tables

  /// Takes the line apart and collects candidates.
  private static func machinery(_ program: String) -> String {
    #"""
    # Sets `words` to the words before the cursor's and `current` to what is left of the cursor: bash has split them at
    # the characters of COMP_WORDBREAKS too.
    _\#(program)_split() {
      local line=${COMP_LINE:0:COMP_POINT} piece rest i
      words=()
      current=
      for ((i = 0; i <= COMP_CWORD; i++)); do
        rest=${line#"${line%%[![:space:]]*}"}
        if [[ $i -gt 0 && $rest != "$line" || $i -eq 1 ]]; then
          if [[ $i -gt 1 ]]; then words[${#words[@]}]=$current; fi
          current=
        fi
        line=$rest
        piece=${COMP_WORDS[i]}
        if [[ $i -eq $COMP_CWORD ]]; then piece=$line; fi
        line=${line#"$piece"}
        if [[ $i -gt 0 ]]; then current+=$piece; fi
      done
    }

    # Sets `keep` to the part of `current` that bash leaves alone: readline sees a word behind some characters.
    _\#(program)_keep() {
      local character i
      keep=
      case $value in
        [\'\"]*)
          quote=${value:0:1}
          keep=$prefix$quote
          return
          ;;
      esac
      for ((i = 0; i < ${#current}; i++)); do
        character=${current:i:1}
        if [[ $character == \\ ]]; then
          i=$((i + 1))
        elif [[ $character == @ && $COMP_WORDBREAKS == *@* ]]; then
          # readline's special prefix: it begins a word, but belongs to it
          keep=${current:0:i}
        elif [[ $COMP_WORDBREAKS == *"$character"* ]]; then
          keep=${current:0:i+1}
        fi
      done
    }

    # Offers a value that is quoted as the word is.
    _\#(program)_add() {
      local candidate=$prefix$1
      if [[ $candidate == "$keep"* ]]; then COMPREPLY[${#COMPREPLY[@]}]=${candidate#"$keep"}; fi
    }

    # Offers those of some words that begin as the value does.
    _\#(program)_words() {
      local word
      for word; do
        if [[ $word == "${value#"$quote"}"* ]]; then _\#(program)_add "$quote$word"; fi
      done
    }

    # Offers what the program finds; it answers within a second, and quotes what comes from files.
    _\#(program)_ask() {
      local candidate
      while IFS= read -r candidate; do
        if [[ -n $candidate ]]; then _\#(program)_add "$candidate"; fi
      done <<< "$(command \#(program) complete --quoted -- "$1" "$value" \
        ${words[@]+"${words[@]}"} "${COMP_WORDS[@]:COMP_CWORD+1}" 2>/dev/null </dev/null)"
      case ${COMPREPLY[0]-} in *=) compopt -o nospace 2>/dev/null ;; esac
    }

    """#
  }

  /// Finds out what the word at the cursor is.
  private static func main(_ program: String) -> String {
    #"""
    _\#(program)() {
      local IFS=$' \t\n'
      local words current value prefix='' keep quote='' found='' source='' command='' group='' option=''
      local ended='' last='' number=0 word i
      COMPREPLY=()
      _\#(program)_split
      for word in ${words[@]+"${words[@]}"}; do
        if [[ -z $command ]]; then
          if [[ -n $group ]]; then
            command="$group $word"
          elif _\#(program)_commands "$word"; then
            group=$word
          else
            command=$word
          fi
        elif [[ -n $option ]]; then
          option=
        elif [[ -z $ended && $word == -- ]]; then
          ended=1
        elif [[ -z $ended && $word == --* ]]; then
          if _\#(program)_value "$command" "$word"; then option=$word; fi
        elif [[ -z $ended && $word == -?* ]]; then
          for ((i = 1; i < ${#word}; i++)); do
            if _\#(program)_value "$command" "-${word:i:1}"; then
              if [[ $((i + 1)) -eq ${#word} ]]; then option=-${word:i:1}; fi
              break
            fi
          done
        else
          number=$((number + 1))
          last=$word
        fi
      done
      found=
      source=nothing
      value=$current
      if [[ -z $command ]]; then
        case $current in
          -*) source='words --help -h --version' ;;
          *) source=commands last=$group ;;
        esac
      elif [[ -n $option ]]; then
        _\#(program)_value "$command" "$option"
      elif [[ -z $ended && $current == --*=* ]]; then
        value=${current#*=}
        prefix=${current%"$value"}
        _\#(program)_value "$command" "${current%%=*}" || source=nothing
      elif [[ -z $ended && $current == -* ]]; then
        _\#(program)_options "$command" && source="words $found"
      else
        _\#(program)_operand "$command" "$number" || source=nothing
      fi
      _\#(program)_keep
      case $source in
        'words '*) _\#(program)_words ${source#words } ;;
        commands) if _\#(program)_commands "$last"; then _\#(program)_words $found; fi ;;
        'program '*) _\#(program)_ask "${source#program }" ;;
        'program-or-files '*) _\#(program)_ask "${source#program-or-files }" ;;
      esac
      # Without candidates readline offers files.
      case $source in
        files | 'program-or-files '*) ;;
        folders) compopt +o default -o dirnames 2>/dev/null ;;
        *) compopt +o default 2>/dev/null ;;
      esac
      return 0
    }

    complete -o default -F _\#(program) \#(program)

    """#
  }
}
