internal import DoseTapSimulation
internal import Glibc

exit(SimulationProgram.main(arguments: Array(CommandLine.arguments.dropFirst())))
