// The shells for which there are completions, and what each of them reads.

/// A shell, by the name of its program.
///
/// The script of a shell knows no commands and options. It runs `PROGRAM complete` on the words of the line, which must
/// be a command of the program. The command prints a line with `files`, `folders` or `nothing`, which the shell itself
/// may offer, a line with what precedes the value in the word at the cursor, such as `--output=`, and the candidates,
/// one per line, each with its purpose behind a tab.
package enum CompletionShell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The script that completes a program's command lines in the shell.
  package func script(for program: String) -> String {
    let title =
      "# \(self) completion for \(program), written by `\(program) completions \(self)`.\n\n"
    return switch self {
    case .bash: title + Self.forBash(program)
    case .zsh: "#compdef \(program)\n" + title + Self.forZsh(program)
    case .fish: title + Self.forFish(program)
    }
  }

  /// For bash from version 3.2 on, with or without the package bash-completion.
  private static func forBash(_ program: String) -> String {
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
      local value=${current#"$prefix"} character i
      keep=
      case $value in
        [\'\"]*)
          keep=$prefix${value:0:1}
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

    # The program answers within a second, and quotes candidates as the word is.
    _\#(program)() {
      local IFS=$' \t\n'
      local words current keep source='' prefix='' candidate
      COMPREPLY=()
      _\#(program)_split
      {
        IFS= read -r source
        IFS= read -r prefix
        _\#(program)_keep
        while IFS= read -r candidate; do
          candidate=$prefix$candidate
          if [[ $candidate == "$keep"* ]]; then COMPREPLY[${#COMPREPLY[@]}]=${candidate#"$keep"}; fi
        done
      } <<< "$(command \#(program) complete --quoted -- ${#words[@]} ${words[@]+"${words[@]}"} "$current" \
        "${COMP_WORDS[@]:COMP_CWORD+1}" 2>/dev/null </dev/null)"
      case ${COMPREPLY[0]-} in *=) compopt -o nospace 2>/dev/null ;; esac
      # Without candidates readline offers files.
      case $source in
        files) ;;
        folders) compopt +o default -o dirnames 2>/dev/null ;;
        *) compopt +o default 2>/dev/null ;;
      esac
      return 0
    }

    complete -o default -F _\#(program) \#(program)

    """#
  }

  /// For zsh: the body of an autoloaded function, which can also be sourced.
  private static func forZsh(_ program: String) -> String {
    #"""
    # The program answers within a second.
    _\#(program)() {
      local -a lines found ending
      lines=("${(@f)$(command \#(program) complete -- $((CURRENT - 2)) "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" \
        "${(@Q)words[CURRENT+1,-1]}" 2>/dev/null </dev/null)}")
      if [[ -n $lines[2] ]]; then compset -P 1 '*='; fi
      found=("${(@)lines[3,-1]}")
      if [[ $found[1] == *$'\t'* ]]; then
        # A colon begins the purpose here.
        found=("${(@)found//:/\\:}")
        found=("${(@)found/$'\t'/:}")
        _describe -t values value found
      elif (( $#found )); then
        if [[ $found[1] == *= ]]; then ending=(-S ''); fi
        compadd "${ending[@]}" -a found
      elif [[ $lines[1] == files ]]; then
        _files
      elif [[ $lines[1] == folders ]]; then
        _files -/
      fi
    }

    if [[ $funcstack[1] == _\#(program) ]]; then
      _\#(program) "$@"
    else
      compdef _\#(program) \#(program)
    fi

    """#
  }

  /// For fish from version 3.1 on.
  private static func forFish(_ program: String) -> String {
    #"""
    # The program answers within a second.
    function __\#(program)_complete
        set -l before (commandline -opc)
        set -l all (commandline -op)
        set -l current (commandline -ct | string collect)
        # The quote of a word that is not finished is open.
        set -l plain (string unescape -- "$current"; or string unescape -- "$current'"; or string unescape -- "$current\"")
        set -l next (math (count $before) + 1)
        test -n "$current"; and set next (math $next + 1)
        set -e before[1]
        set -l found (command \#(program) complete -- (count $before) $before "$plain" $all[$next..-1] 2>/dev/null </dev/null)
        switch "$found[1]"
            case files
                complete -C "'' $current"
            case folders
                __fish_complete_directories "$current"
        end
        for candidate in $found[3..-1]
            printf '%s\n' "$found[2]$candidate"
        end
    end

    complete -c \#(program) -f -a '(__\#(program)_complete)'

    """#
  }
}
