internal import DoseTapWeb
internal import Glibc

exit(WebProgram.main(arguments: Array(CommandLine.arguments.dropFirst())))
