internal import DoseTapDomain
internal import DoseTapSystem
internal import Glibc
package import SDBus

/// The program `dosetap-simulate`, which `dosetap simulate` starts.
public enum SimulationProgram {
    private static let usage = """
        Usage: dosetap-simulate [--json]

        Runs the script on standard input on a virtual clock and prints what would happen. It is
        started by the dosetap command; you need not run it by hand. See dosetap simulate.

          --json   one JSON object
          --help   print this

        Exit codes: 0 done, 1 failed, 64 wrong usage, 65 wrong script.

        """

    /// Runs a script to its end.
    ///
    /// - Parameter arguments: without the program's name.
    /// - Returns: the exit code.
    public static func main(arguments: [String]) -> Int32 {
        switch arguments {
        case [], ["--json"]: break
        case ["--help"]:
            ProgramEdge.say(usage)
            return 0
        default:
            ProgramEdge.complain("dosetap-simulate: wrong arguments\n\(usage)")
            return 64
        }
        return run { loop in
            let run = SimulationRun(json: !arguments.isEmpty, ProgramEdge.environment, on: loop)
            ProgramEdge.say(try await run.run())
            return 0
        }
    }

    /// Does the work of such a program on the main thread.
    ///
    /// - Returns: the exit code, also of what was thrown.
    package static func run(_ work: @escaping @Sendable (EventLoop) async throws -> Int32) -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        umask(0o077)
        do {
            return try EventLoop.run { loop in
                loop.becomeDefaultExecutor()
                do { return try await work(loop) } catch {
                    ProgramEdge.complain(sentence(error) + "\n")
                    return error is NightScriptFault ? 65 : 1
                }
            }
        } catch {
            ProgramEdge.complain("\(error)\n")
            return 1
        }
    }

    private static func sentence(_ error: any Error) -> String {
        switch error {
        case let fault as NightScriptFault: fault.description
        case let fault as SystemFault: fault.message
        case let error as StoreError: "The store of the simulation failed: \(error.context)."
        case let spinning as NightSimulation.Spinning:
            "The service asked to be called without an end at \(spinning.now.iso8601)."
        default: "The simulation failed: \(error)."
        }
    }
}
