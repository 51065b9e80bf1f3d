// archtool: dump, validate and migrate keyed archives and property lists.

import CommandLineInterface

CrashHandlers.remove()
StandardDescriptors.fill()
exit(with: Archtool.run(ProgramArguments.words))
