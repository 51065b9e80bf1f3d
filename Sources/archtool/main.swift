// archtool: dump, validate and migrate keyed archives and property lists.

import ArchiveBasics
import ArchtoolCommands
import CommandLineInterface

ProgramStart.removeCrashHandlers()
ProgramStart.fillDescriptors()
exit(Archtool.run(ProgramStart.arguments).rawValue)
