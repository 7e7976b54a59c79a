import DoseTapContract
import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
import DoseTapTestSupport
import Foundation
import Testing

/// Compares one table of acts and verdicts with every surface: the command line, D-Bus and the proposals of a plugin.
@Suite(.serialized) struct VerdictTests {
    @Test(arguments: Situation.allCases)
    func `the same act meets the same verdict on every surface`(situation: Situation) async throws {
        let rows = VerdictRow.all.filter { $0.situation == situation }
        #expect(!rows.isEmpty)
        let plugin = try await PluginAdapter.open(situation)
        let service = try await ContractAdapters.open(situation, zone: HourZone.identifier(hour: situation.hour))
        for row in rows {
            let found = [
                "plugin": await plugin.verdict(on: row.act), "dbus": await service.verdict(on: row.act),
                "cli": try service.commandLineVerdict(on: row.act),
            ]
            for (surface, verdict) in found.sorted(by: { $0.key < $1.key }) {
                #expect(verdict == row.verdict, "\(row.rule) \(situation), \(row.act) by \(surface)")
            }
        }
        await plugin.bench.stop()
        try await service.bench.stop()
    }

    @Test func `every question, every refusal and every rule of registration stands in the table`() throws {
        var asked = Set<DoseTapDomain.Confirmation>()
        for row in VerdictRow.all { if case .asks(let kinds) = row.verdict { asked.formUnion(kinds) } }
        for word in DoseTapDomain.Confirmation.allCases where VerdictRow.elsewhere[word.rawValue] == nil {
            #expect(asked.contains(word), "\(word)")
        }
        for word in BlockReason.allCases where VerdictRow.elsewhere[word.rawValue] == nil {
            #expect(VerdictRow.all.contains { $0.verdict == .refused(word) }, "\(word)")
        }
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let text = try String(
            contentsOf: folder.appending(path: "../../../Sources/DoseTapDomain/Domain.docc/Rules.md").standardized,
            encoding: .utf8)
        let known = text.matches(of: /\*\*(R\d+\.\d+)\*\*/).map { String($0.output.1) }
        let tried = Set(VerdictRow.all.map(\.rule))
        for rule in known where rule.hasPrefix("R4.") { #expect(tried.contains(rule), "\(rule)") }
        for rule in tried { #expect(known.contains(rule), "\(rule)") }
        for word in VerdictRow.elsewhere.keys {
            #expect(DoseTapDomain.Confirmation(rawValue: word) != nil || BlockReason(rawValue: word) != nil, "\(word)")
        }
    }
}

/// The access of a plugin to an engine.
private struct PluginAdapter: Sendable {
    let bench: NightBench
    let entries: [EventID]

    static func open(_ situation: Situation) async throws -> PluginAdapter {
        var setup = NightBench.Setup.silent
        setup.start = try Instant(iso8601: "2026-01-15T00:00:00Z") + .hours(situation.hour)
        setup.rules = situation.rules
        let bench = try await NightBench.open(setup)
        var entries: [EventID] = []
        for act in situation.acts {
            let receipt = try await bench.submit(act.ask.command(entries)) { options in
                act.fill(&options, now: bench.clock.now)
                options.confirmations = Set(DoseTapDomain.Confirmation.allCases)
            }
            entries.append(receipt.eventID)
        }
        return PluginAdapter(bench: bench, entries: entries)
    }

    func verdict(on act: Act) async -> Verdict {
        var options = CommandOptions(surface: .plugin)
        act.fill(&options, now: bench.clock.now)
        options.dryRun = true
        do {
            // Each row has its own plugin, because a plugin must pause after twenty proposals.
            let proposer = PluginManifest(id: UUID().uuidString, summary: "asks", capabilities: [.proposes])
            let receipt = try await bench.context(for: proposer).propose(act.ask.command(entries), options)
            return receipt.dryRun ? .allowed : .other("\(receipt)")
        } catch let failure as EngineFailure { return Verdict(failure) } catch { return .other("\(error)") }
    }
}

/// A real service on a bus, with a D-Bus client and the command line.
private struct ContractAdapters: Sendable {
    let bench: ServiceBench
    let entries: [EventID]
    let zone: String

    static func open(_ situation: Situation, zone: String) async throws -> ContractAdapters {
        let bench = try await ServiceBench.start(
            environment: situation.environment.merging(["TZ": zone]) { $1 })
        let now = ServiceBench.now
        var entries: [EventID] = []
        for act in situation.acts {
            let receipt = try await bench.submit(act.ask.command(entries)) { options in
                options.confirmations = DoseTapDomain.Confirmation.allCases
                options.at = act.ago.map { now - $0 }
                options.amount = act.amount
            }
            entries.append(receipt.eventID)
        }
        return ContractAdapters(bench: bench, entries: entries, zone: zone)
    }

    func verdict(on act: Act) async -> Verdict {
        var options = RequestOptions()
        options.confirmations = act.confirm
        options.at = act.ago.map { ServiceBench.now - $0 }
        options.amount = act.amount
        options.dryRun = true
        do {
            let receipt = try await bench.client.submit(act.ask.command(entries), options)
            return receipt.dryRun ? .allowed : .other("\(receipt)")
        } catch let error as ServiceError { return Verdict(error) } catch { return .other("\(error)") }
    }

    func commandLineVerdict(on act: Act) throws -> Verdict {
        let program = URL(fileURLWithPath: DaemonProcess.program).deletingLastPathComponent().path() + "dosetap"
        let outcome = try TestProgram.run(
            [program] + act.line(entries, now: ServiceBench.now) + ["--dry-run", "--json"],
            environment: [
                "HOME": bench.folder.path("home"), "PATH": "/usr/bin:/bin", "TZ": zone,
                "DBUS_SESSION_BUS_ADDRESS": bench.bus.address,
            ])
        return Verdict(exit: outcome.status, output: outcome.text)
    }
}
