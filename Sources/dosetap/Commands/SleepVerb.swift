internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// `sleep`: the sleep that devices, other programs and the person tell.
struct SleepVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sleep", abstract: "Sleep that a device, another program or you recorded.",
        discussion: """
            Recorded sleep stands beside the sleep diary of the morning check-in and is
            never put together with it. It starts no reminder and changes no night.

            Example: dosetap sleep
            Example: dosetap sleep add "yesterday 23:10" 06:40 --asleep 6h50m
            """,
        subcommands: [List.self, Add.self, Live.self], defaultSubcommand: List.self)

    struct List: Verb {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the recorded sleep, newest first.",
            discussion: """
                'dosetap show ID --json' prints one of them with its stages.

                Example: dosetap sleep list --limit 30
                """)

        @Option(help: ArgumentHelp("At most this many, 1 to 1000.", valueName: "N")) var limit = 14
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            let newest = try NewestEntries(limit: limit, of: "sleep_records", context) {
                try await $0.sleepRecords(limit: $1)
            }
            newest.report(context) { SleepText.list($0, $1, $2) }
        }
    }

    struct Live: Verb {
        static let configuration = CommandConfiguration(
            commandName: "live", abstract: "Report the present stage of sleep, for programs.",
            discussion: """
                STAGE is awake, light, deep or rem. The service keeps it in memory only: it
                is green for 5 minutes, yellow until 15 minutes, then unknown. It moves no
                reminder and no alarm.

                Example: dosetap sleep live light
                """)

        @Argument(
            help: ArgumentHelp("awake, light, deep or rem.", valueName: "stage"),
            completion: .list(IntervalRecommendation.Stage.allCases.map(\.rawValue)))
        var stage: String
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            // A service of one command would forget the stage with its end.
            guard case .bus = ServiceLink.Route(context) else {
                throw Failure.usage(
                    tr(
                        "A live stage needs a service that keeps running: without a session bus, and with --bus none, there is none."
                    ),
                    hint: "dosetap sleep add --help")
            }
            let stage = stage
            let told = try ServiceLink.run(context) { client in try await client.report(stage: stage) }
            context.report(told.json, text: [SleepText.live(told)])
        }
    }

    struct Add: Verb {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Record a sleep from START to END.",
            discussion: """
                Without a length or stages the whole time counts as asleep. --stages are the
                stages from START on, each with its length: awake, light, deep, rem, asleep,
                in_bed or unknown.

                Example: dosetap sleep add "yesterday 23:10" 06:40 --asleep 6h50m
                Example: dosetap sleep add 14:00 14:25 --part nap
                Example: dosetap sleep add 23:00 00:30 --stages light=30m,deep=50m,awake=10m
                """)

        @Argument(help: ArgumentHelp("When it began.", valueName: "start")) var start: String
        @Argument(help: ArgumentHelp("When it ended.", valueName: "end")) var end: String
        @Option(help: ArgumentHelp("The time asleep, e.g. 6h50m.", valueName: "length")) var asleep: String?
        @Option(help: ArgumentHelp("The time awake.", valueName: "length")) var awake: String?
        @Option(name: .customLong("in-bed"), help: ArgumentHelp("The time in bed.", valueName: "length"))
        var inBed: String?
        @Option(help: ArgumentHelp("The stages from START on, e.g. light=30m,deep=1h.", valueName: "stages"))
        var stages: String?
        @Option(
            help: ArgumentHelp("main, nap or unknown.", valueName: "part"),
            completion: .list(ImportedSleep.Part.allCases.map(\.rawValue)))
        var part = ImportedSleep.Part.main.rawValue
        @Option(
            help: ArgumentHelp("How it was found: measured, estimated or told.", valueName: "grade"),
            completion: .list(ImportedSleep.Grade.allCases.map(\.rawValue)))
        var grade = ImportedSleep.Grade.told.rawValue
        @Option(help: ArgumentHelp("What tells it; default: hand.", valueName: "word"))
        var source = SleepRecorded.byHand
        @Option(help: ArgumentHelp("The device or program that recorded it.", valueName: "name")) var device: String?
        @Option(help: ArgumentHelp("A note in your own words.", valueName: "text")) var note: String?
        @OptionGroup(title: "Recording") var correction: CorrectionOptions
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            let reading = TimeReading(context)
            guard let from = try reading.recordable(start, "START"), let to = try reading.recordable(end, "END") else {
                return
            }
            try checkEnd(from, to, reading)
            let sleep = ImportedSleep(
                row: "", device: device, start: from, end: to, part: try word(part, "--part"),
                grade: try word(grade, "--grade"), course: try course(from, to))
            var request = try correction.request(context)
            request.note = note
            try Recorder(context: context).record(.recordSleep(sleep, source: source), request)
        }

        /// Refuses an end that is still to come. A clock time without a date is read as the last one, which then lies
        /// before the start.
        private func checkEnd(_ from: Instant, _ to: Instant, _ reading: TimeReading) throws(Failure) {
            let ahead: Instant? = to > reading.now ? to : to <= from ? reading.coming(end) : nil
            guard let ahead, ahead > reading.now + .minutes(1) else { return }
            var failure = Failure(
                .refused,
                tr(
                    "END: \(SafeText.line(end)) is still to come, in \(LocalTimeFormat.wait(ahead - reading.now)). A sleep is recorded once it has ended."
                ), hint: "dosetap sleep add --help",
                details: ["reason": .string(BlockReason.future.rawValue)])
            failure.isRefusedEntry = true
            throw failure
        }

        private func word<Word: RawRepresentable & CaseIterable>(
            _ text: String, _ option: String
        ) throws(Failure) -> Word where Word.RawValue == String {
            guard let word = Word(rawValue: text.lowercased()) else {
                throw .usage("\(option) is \(Word.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            return word
        }

        private func course(_ from: Instant, _ to: Instant) throws(Failure) -> ImportedSleep.Course {
            let lengths: [(ImportedSleep.Stage, String, String?)] = [
                (.asleep, "--asleep", asleep), (.awake, "--awake", awake), (.inBed, "--in-bed", inBed),
            ]
            guard let stages else {
                var seconds: [ImportedSleep.Stage: Int] = [:]
                for (stage, option, text) in lengths {
                    seconds[stage] = try text.map { text throws(Failure) in
                        Int(try length(text, option).wholeMilliseconds / 1_000)
                    }
                }
                if seconds[.asleep] == nil, seconds[.awake] == nil {
                    seconds[.asleep] = Int((to - from).wholeMilliseconds / 1_000)
                }
                return .durations(seconds)
            }
            guard lengths.allSatisfy({ $0.2 == nil }) else {
                throw .usage(tr("--stages excludes --asleep, --awake and --in-bed."))
            }
            var (spans, place): ([ImportedSleep.Span], Instant) = ([], from)
            for part in stages.split(separator: ",", omittingEmptySubsequences: false) {
                let words = part.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
                guard words.count == 2, let stage = ImportedSleep.Stage(rawValue: words[0]) else {
                    throw .usage(tr("--stages: '\(part.prefix(40))' is no stage with its length, such as light=30m."))
                }
                let next = place + (try length(words[1], "--stages"))
                spans.append(.init(stage, place, next))
                place = next
            }
            return .stages(spans)
        }

        private func length(_ text: String, _ option: String) throws(Failure) -> Duration {
            do throws(TimeParseError) { return try TimeExpression.parseDuration(text) } catch {
                throw .usage("\(option): \(error)", hint: "dosetap sleep add --help")
            }
        }
    }
}
