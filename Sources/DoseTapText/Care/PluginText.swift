package import DoseTapDomain

/// The text of `plugins`, and of the channels of plugins.
package enum PluginText {
    package static func list(_ plugins: [JSONObject], _ columns: Int) -> [String] {
        guard !plugins.isEmpty else { return [tr("The service has no plugins.")] }
        func cells(_ key: String) -> [String] {
            plugins.map { row in SafeText.line(row[key].map { $0.stringValue ?? $0.serialized() } ?? "-") }
        }
        return Table(columns: [
            .init(heading: tr("Plugin"), cells: cells("id")),
            .init(heading: tr("State"), cells: cells("state").map(Words.state)),
            .init(heading: tr("Behind"), cells: cells("lag"), alignsRight: true),
            .init(heading: tr("Failures"), cells: cells("failures"), alignsRight: true),
            .init(heading: tr("Does"), cells: cells("summary").map(Wire.told)),
            .init(heading: tr("Last error"), cells: cells("last_error").map { Wire.told(fault($0)) }),
        ]).lines(width: columns)
    }

    package static func one(_ plugin: JSONObject, _ settings: [JSONObject], _ page: Page) -> [String] {
        func text(_ key: String) -> String {
            SafeText.line(plugin[key].map { $0.stringValue ?? $0.serialized() } ?? "")
        }
        var lines = SafeText.wrap("\(text("id")): \(Wire.told(text("summary")))", columns: page.columns, indent: 2)
        let failures = Count.failures(plugin["failures"]?.integerValue ?? 0)
        lines.append(tr("State: \(Words.state(text("state"))), \(text("lag")) behind, \(failures)"))
        if !text("last_error").isEmpty {
            let error = Wire.told(fault(text("last_error")))
            lines += SafeText.wrap(tr("Last error: \(error)"), columns: page.columns, indent: 2)
        }
        let channels = plugin["channels"]?.arrayValue?.compactMap(\.stringValue).map(SafeText.line) ?? []
        if let first = channels.first {
            lines.append(tr("Channels: \(channels.joined(separator: ", "))"))
            lines.append(page.addressed(tr("  Try one: dosetap reminders --test \(first)")))
        }
        guard !settings.isEmpty else { return lines }
        return lines + [tr("Settings:")] + settings.map { "  " + SettingText.line($0) }
            + [page.addressed(tr("  Change one: dosetap config set KEY VALUE"))]
    }

    /// Returns the last error of a plugin without the name of a D-Bus error before it.
    package static func fault(_ error: String) -> String {
        guard let colon = error.firstRange(of: ": ") else { return error }
        let name = error[..<colon.lowerBound]
        return name.contains(".Error.") && !name.contains(" ") ? String(error[colon.upperBound...]) : error
    }

    /// Returns the result of switching a plugin on or off. The environment can override the file.
    package static func switched(_ id: String, _ receipt: JSONObject, asked: Bool) -> [String] {
        func text(_ key: String) -> String { SafeText.line(receipt[key]?.stringValue ?? "?") }
        let isEnabled = receipt["enabled"]?.boolValue ?? asked
        let name = SafeText.line(id)
        let state = isEnabled ? tr("\(name) is on") : tr("\(name) is off")
        let source = SettingText.source(text("source"))
        return ["\(state)\(isEnabled == asked ? "" : tr(", as \(source) says"))."]
            + [tr("Written to \(text("file")).")]
    }

    /// Returns a table of channels, each with its plugin.
    package static func channels(_ rows: [(String, JSONObject)], _ page: Page) -> [String] {
        guard let first = rows.first else { return [tr("The service has no channels.")] }
        func text(_ plugin: JSONObject, _ key: String) -> String { SafeText.line(plugin[key]?.stringValue ?? "-") }
        return Table(columns: [
            .init(heading: tr("Channel"), cells: rows.map { SafeText.line($0.0) }),
            .init(heading: tr("Plugin"), cells: rows.map { text($0.1, "id") }),
            .init(heading: tr("State"), cells: rows.map { Words.state(text($0.1, "state")) }),
        ]).lines(width: page.columns) + [
            page.addressed(tr("Try one: dosetap reminders --test \(SafeText.line(first.0))"))
        ]
    }

    package static func tested(_ channel: String) -> String {
        tr("A test went out by \(SafeText.line(channel)). Did it reach you?")
    }
}

/// The text of `config` and `db`.
package enum SettingText {
    /// Returns a setting with its value and the source of the value.
    package static func line(_ row: JSONObject) -> String {
        let lock = row["locked"]?.boolValue == true ? tr(", locked") : ""
        var (value, source) = (text(row, "value"), text(row, "source"))
        if source == "default" {
            source = tr("default", context: "setting")
            // The default of what is spoken is a sentence, which is spoken in the person's language.
            if value.hasSuffix(".") { value = Wire.told(value) }
        }
        return "\(text(row, "key")): \(value)  (\(Self.source(source))\(lock))"
    }

    /// Returns the source of a value. The name of a file, a variable or an option stays as it is.
    static func source(_ source: String) -> String {
        let words = source.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return source }
        return switch words[0] {
        case "environment": tr("environment \(words[1])")
        case "option": tr("option \(words[1])")
        default: source
        }
    }

    /// Returns the text after a setting was written.
    package static func written(_ receipt: JSONObject) -> [String] {
        let tonight = tr("A rule of the night: a night that is open goes by it from now on, and its record says so.")
        return [line(receipt), tr("Written to \(text(receipt, "file")).")]
            + (receipt["night_rule"]?.boolValue == true ? [tonight] : [])
    }

    /// Returns the faults of the settings files.
    package static func complaints(_ complaints: [JSONObject]) -> [String] {
        complaints.isEmpty
            ? [tr("The settings are well formed.")] : complaints.map { SafeText.line(complaint($0)) }
    }

    /// Returns a complaint with its place and key unchanged, and the fault in the person's language.
    private static func complaint(_ complaint: JSONObject) -> String {
        let (text, message) = (complaint["text"]?.stringValue ?? "", complaint["message"]?.stringValue ?? "")
        let suggestion = complaint["suggestion"]?.stringValue
        let end = message + (suggestion.map { "; did you mean \($0)?" } ?? "")
        guard text.hasSuffix(end) else { return text }
        let told = Wire.told(message)
        let place = quoted(source(String(text.dropLast(end.count))))
        return place + (suggestion.map { tr("\(told); did you mean \($0)?") } ?? told)
    }

    /// Returns the place of a complaint with its key in the quotation marks of the language.
    private static func quoted(_ place: String) -> String {
        guard DisplayLanguage.isTranslating, let start = place.firstRange(of: "“"),
            let end = place[start.upperBound...].firstRange(of: "”")
        else { return place }
        let key = tr("'\(place[start.upperBound..<end.lowerBound])'", context: "quoted")
        return "\(place[..<start.lowerBound])\(key)\(place[end.upperBound...])"
    }

    package static var read: String { tr("The settings were read again.") }

    /// Returns the result of the examination of a store.
    package static func examination(_ report: JSONObject, isSound: Bool) -> [String] {
        func texts(_ key: String) -> [String] {
            report[key]?.arrayValue?.compactMap(\.stringValue).map { SafeText.line(Wire.told(ErrorText.typed($0))) }
                ?? []
        }
        // `verify` reads the log alone and compares no rows.
        let counts = [
            report["events"]?.integerValue.map { Count.events(Int($0)) },
            report["rows"]?.integerValue.flatMap { $0 == 0 ? nil : Count.rows($0) },
        ].compactMap(\.self)
        let head = isSound ? tr("All is well") : tr("Something is wrong")
        return [counts.isEmpty ? "\(head)." : "\(head): \(counts.joined(separator: ", "))."]
            + texts("findings").map { tr("  wrong: \($0)") } + texts("repairs").map { tr("  put right: \($0)") }
            + texts("notes").map { tr("  on record: \($0)") }
    }

    private static func text(_ row: JSONObject, _ key: String) -> String {
        SafeText.line(row[key].map { $0.stringValue ?? $0.serialized() } ?? "")
    }
}
