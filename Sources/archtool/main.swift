// archtool: dump, validate and migrate keyed archives and property lists.

import ArchiveBasics
import ArchtoolCommands
import CommandLineInterface

CrashHandlers.remove()
StandardDescriptors.fill()
exit(Archtool.run(ProgramArguments.words).rawValue)
