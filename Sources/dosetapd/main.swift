internal import DoseTapService
internal import Glibc

exit(Daemon.main(arguments: Array(CommandLine.arguments.dropFirst())))
