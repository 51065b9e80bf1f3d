// archtool: dump, validate and migrate keyed archives and property lists.

import ArchiveBasics
import CommandLineInterface
import ArchtoolCommands

CrashHandlers.remove()
StandardDescriptors.fill()
exit(Archtool.run(ProgramArguments.words).rawValue)
