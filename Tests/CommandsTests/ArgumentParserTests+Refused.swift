// Invalid command lines, and their error messages.

extension ArgumentParserTests {
  static let refused: [(line: [String], message: String)] = [
    // Commands.
    (["dmup"], "unknown command 'dmup'; did you mean 'dump'?"),
    (["Dump"], "unknown command 'Dump'; did you mean 'dump'?"),
    (["frobnicate"], "unknown command 'frobnicate'; 'archtool help' lists the commands"),
    (
      ["schema"],
      "schema needs one of its commands: list, show, check, infer, diff, derive, lens, swift, sample"
    ),
    (["schema", "chekc"], "unknown command 'schema chekc'; did you mean 'schema check'?"),
    ([""], "unknown command ''; 'archtool help' lists the commands"),
    (["-"], "unknown command '-'; 'archtool help' lists the commands"),
    (["help", "migrat"], "unknown command 'migrat'; did you mean 'migrate'?"),
    (["--", "--help"], "unknown command '--help'; did you mean 'help'?"),
    // Options in the command's place.
    (["--verison"], "unknown option '--verison'; did you mean '--version'?"),
    (["--bogus"], "unknown option '--bogus'"),
    (["--version=2"], "option '--version' takes no value"),
    (
      ["-r", "dump"],
      "option '-r' belongs after a command, as in 'archtool dump --recursive'"
    ),
    (
      ["--format=json", "dump"],
      "option '--format' belongs after a command, as in 'archtool dump --format FORMAT'"
    ),
    // Unknown options.
    (["dump", "--formt", "a"], "unknown option '--formt' for dump; did you mean '--format'?"),
    (["dump", "--formt=json"], "unknown option '--formt' for dump; did you mean '--format'?"),
    (["dump", "--recu", "a"], "unknown option '--recu' for dump; did you mean '--recursive'?"),
    (["dump", "--zebra", "a"], "unknown option '--zebra' for dump"),
    (["dump", "--json", "a"], "unknown option '--json' for dump; did you mean '--format json'?"),
    (["convert", "--xml1", "a"], "unknown option '--xml1' for convert; did you mean '--to xml1'?"),
    (["dump", "--=x", "a"], "unknown option '--' for dump"),
    (["help", "--manul"], "unknown option '--manul' for help"),
    (
      ["dump", "-x", "a"],
      "unknown option '-x' for dump; what begins with - and is no option comes after --"
    ),
    (["dump", "-R", "a"], "unknown option '-R' for dump; did you mean '-r'?"),
    (
      ["dump", "-recursive", "a"],
      "unknown option '-e' in '-recursive' for dump; did you mean '--recursive'?"
    ),
    (
      ["dump", "-12"],
      "unknown option '-1' in '-12' for dump; what begins with - and is no option comes after --"
    ),
    (["dump", "--\u{1B}[31m\n"], #"unknown option '--\u001b[31m\n' for dump"#),
    // Values.
    (["dump", "a", "--output"], "option '--output' needs a value (FILE)"),
    (["dump", "a", "-o"], "option '--output' needs a value (FILE)"),
    (["dump", "a", "--output="], "option '--output' needs a value (FILE)"),
    (["dump", "--recursive=yes", "a"], "option '--recursive' takes no value; found 'yes'"),
    (
      ["dump", "--format", "jsno", "a"],
      "option '--format' cannot be 'jsno', only tree, json, ndjson; did you mean 'json'?"
    ),
    (
      ["info", "--format", "tree", "a"],
      "option '--format' cannot be 'tree', only text, json"
    ),
    (
      ["dump", "--color", "sometimes", "a"],
      "option '--color' cannot be 'sometimes', only auto, always, never"
    ),
    (
      ["dump", "--depth", "-1", "a"],
      "option '--depth' needs a whole number from 0 to 1000000; found '-1'"
    ),
    (
      ["dump", "--depth", "3x", "a"],
      "option '--depth' needs a whole number from 0 to 1000000; found '3x'"
    ),
    (
      ["dump", "--depth", "99999999999999999999", "a"],
      "option '--depth' needs a whole number from 0 to 1000000; found '99999999999999999999'"
    ),
    // Operands.
    (["dump"], "missing operand FILE for dump; use '-' for standard input"),
    (["validate", "-q"], "missing operand FILE for validate; use '-' for standard input"),
    (["undo"], "missing operand JOURNAL or option '--last' for undo"),
    (["get", "a"], "missing operand PATH for get"),
    (["get"], "missing operand FILE PATH for get; use '-' for standard input"),
    (["rename-key", "a", "b"], "missing operand KEY for rename-key"),
    (["set"], "missing operand FILE for set; use '-' for standard input"),
    (["diff"], "missing operand OLD for diff"),
    (["schema", "diff", "a"], "missing operand SCHEMA for schema diff"),
    (["query", "$"], "missing operand FILE for query; use '-' for standard input"),
    (
      ["extract", "-o", "x", "$.a"],
      "missing operand FILE for extract; use '-' for standard input"
    ),
    (
      ["validate", "--explain", "--structure=basic", "a"],
      "'--explain' and '--structure' cannot be used together"
    ),
    (
      ["schema", "show", "--meta", "--schemas=S"],
      "'--meta' and '--schemas' cannot be used together"
    ),
    (
      ["migrate", "--to=v2", "-o", "x", "--fail-fast", "a"],
      "'--output' and '--fail-fast' cannot be used together"
    ),
    (
      ["migrate", "--to=v2", "--records", "--allow-empty"],
      "'--records' and '--allow-empty' cannot be used together"
    ),
    (["migrate", "--to=v2", "-n", "--format=json", "a"], "'--format' needs '--plan'"),
    (["show"], "unknown command 'show'; did you mean 'dump'?"),
    (["lint", "a"], "unknown command 'lint'; did you mean 'validate'?"),
    (["print"], "unknown command 'print'; did you mean 'dump'?"),
    (["cat", "a"], "unknown command 'cat'; did you mean 'dump'?"),
    (["grep", "x", "a"], "unknown command 'grep'; did you mean 'find'?"),
    (["version"], "unknown command 'version'; did you mean '--version'?"),
    (["help", "grep"], "unknown command 'grep'; did you mean 'find'?"),
    (["-p", "a"], "unknown option '-p'; did you mean 'archtool dump'?"),
    (["-lint", "a"], "unknown option '-lint'; did you mean 'archtool validate --format-only'?"),
    (
      ["-convert", "xml1", "a"], "unknown option '-convert'; did you mean 'archtool convert --to'?"
    ),
    (["-extract", "a", "raw", "b"], "unknown option '-extract'; did you mean 'archtool get'?"),
    (["-v"], "unknown option '-v'; did you mean '--version'?"),
    (["/usr/bin"], "unknown command '/usr/bin'; did you mean 'archtool scan /usr/bin'?"),
    (
      ["dump", "--hex", "$.a", "--compact", "a"], "'--compact' and '--hex' cannot be used together"
    ),
    (["dump", "--offsets", "--typed", "a"], "'--typed' and '--offsets' cannot be used together"),
    (["help", "dump", "info"], "unknown command 'dump info'; 'archtool help' lists the commands"),
    (["help", "a", "b", "c"], "help takes no more than 2 COMMAND; 'c' is one too many"),
    (
      ["create", "--schema", "Movie@v2", "-o", "x", "a", "b"],
      "create takes no more than 1 FILE; 'b' is one too many"
    ),
    // Options that need or exclude one another.
    (["dump", "--typed", "--format=tree", "a"], "'--typed' cannot be used with '--format tree'"),
    (
      ["dump", "--compact", "--format=tree", "a"],
      "'--compact' cannot be used with '--format tree'"
    ),
    (["dump", "-f", "a"], "'--force' needs '--output' or '--output-dir'"),
    (["migrate", "a"], "migrate needs one of '--to', '--resume' or '--apply'"),
    (["migrate", "--from", "v1", "a"], "migrate needs one of '--to', '--resume' or '--apply'"),
    (
      ["migrate", "--from", "v1", "--to", "v2", "a", "b"],
      "migrate of several files needs one of '--in-place', '--output-dir', '--dry-run', '--plan', '--apply', '--output-database', '--records' or '--resume'"
    ),
    (
      ["migrate", "--from=v1", "--to=v2", "-o", "x", "--in-place", "a"],
      "'--output' and '--in-place' cannot be used together"
    ),
    (
      ["migrate", "--from=v1", "--to=v2", "-o", "x", "--in-place", "--output-dir=d", "a"],
      "'--output', '--in-place' and '--output-dir' cannot be used together"
    ),
    (
      ["migrate", "--from=v1", "--to=v2", "-o", "x", "-r", "a"],
      "'--output' and '--recursive' cannot be used together"
    ),
    (
      ["migrate", "--from=v1", "--to=v2", "-n", "--backup", ".old", "a"],
      "'--backup' needs '--in-place'"
    ),
    (
      ["migrate", "--from=v1", "--to=v2", "--in-place", "-f", "a"],
      "'--force' needs '--output', '--output-dir' or '--output-database'"
    ),
    (
      ["migrate", "--from=v1", "--to=v2", "-o", "x", "a", "b"],
      "'--output' takes one FILE; 2 were given"
    ),
    (
      ["migrate", "--from=v1", "--to=v2", "--in-place", "a", "-"],
      "'--in-place' cannot be used with standard input ('-')"
    ),
    (
      ["migrate", "--from=v1", "--to=v2", "--output-dir", "d", "-"],
      "'--output-dir' cannot be used with standard input ('-')"
    ),
    (["create", "-o", "x", "a"], "missing option '--schema NAME[@VERSION]' for create"),
    (["create", "--schema", "Movie@v2", "-f", "a"], "'--force' needs '--output'"),
  ]
}
