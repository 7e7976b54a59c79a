internal import DoseTapService
internal import Glibc

var environment: [String: String] = [:]
var entry = environ
while let pointer = entry.pointee {
    let text = String(cString: pointer)
    if let equals = text.firstIndex(of: "=") {
        environment[String(text[..<equals])] = String(text[text.index(after: equals)...])
    }
    entry += 1
}
exit(Daemon.main(arguments: Array(CommandLine.arguments.dropFirst()), environment: environment))
