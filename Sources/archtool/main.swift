// archtool: dump, validate and migrate keyed archives and property lists.

import CommandLineInterface

exit(with: Archtool.run(Array(CommandLine.arguments.dropFirst())))
