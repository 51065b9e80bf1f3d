// archtool: dump, validate and migrate keyed archives and property lists.

import Basics
import CommandLineInterface
import Commands

CrashHandlers.remove()
StandardDescriptors.fill()
exit(Archtool.run(ProgramArguments.words).rawValue)
