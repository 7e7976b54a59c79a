internal import DoseTapRandomNights
internal import Glibc

exit(RandomNightsProgram.main(arguments: Array(CommandLine.arguments.dropFirst())))
