internal import DoseTapExchange
internal import Glibc

exit(ExchangeProgram.main(arguments: Array(CommandLine.arguments.dropFirst())))
