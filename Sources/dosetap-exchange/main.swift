internal import DoseTapExchange
internal import DoseTapImporters
internal import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "import" {
    exit(ImportProgram.main(arguments: Array(arguments.dropFirst())))
}
if arguments == ["lab"] { exit(LabProgram.main()) }
exit(ExchangeProgram.main(arguments: arguments))
