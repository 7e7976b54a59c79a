/// The kinds of values that a setting takes, and the reading of each kind.
public enum SettingKind: Sendable, Hashable {
    /// A time of day, `HH:MM`.
    case clockTime
    /// A whole number within bounds.
    case integer(ClosedRange<Int>)
    /// One of some whole numbers.
    case choice([Int])
    /// One of some words.
    case word([String])
    /// Seconds within bounds, or off.
    case delay(ClosedRange<Int>)
    /// The name or the absolute path of a program, or empty.
    case program
    /// Words to be spoken.
    case sentence
    /// True or false.
    case flag
    /// The name of a time zone, or empty.
    case zone
    /// The name of a sound, or empty.
    case soundName
    /// Names of types of sleep events, separated by commas, or empty; in a file also a list.
    case sleepEvents
    /// Medicines of one's own, separated by commas, or empty; in a file also a list.
    case medications
    /// Names, separated by commas, or empty; in a file also a list.
    case names

    /// True if a file may hold a list.
    public var isList: Bool { self == .sleepEvents || self == .medications || self == .names }

    /// The range in words, as `config show` prints it.
    public var range: String {
        switch self {
        case .clockTime: "00:00 to 23:59"
        case .integer(let bounds): "\(bounds.lowerBound) to \(bounds.upperBound)"
        case .choice(let numbers): numbers.map(String.init).joined(separator: ", ")
        case .word(let words): words.joined(separator: ", ")
        case .delay(let bounds): sent("\(bounds.lowerBound) to \(bounds.upperBound) seconds, or off")
        case .program: sent("a name or an absolute path of up to 255 bytes, or empty")
        case .sentence: sent("1 to 200 characters on one line")
        case .flag: sent("true or false")
        case .zone: sent("a time zone such as America/New_York, or empty")
        case .soundName: "a name of up to 64 letters, digits, '-', '_' and '.', or empty"
        case .sleepEvents:
            "up to \(SleepEventCatalogue.maximumCustom) names of up to \(SleepEventCatalogue.customScalars) characters, or empty"
        case .medications:
            "up to \(MedicationCatalogue.maximumOwn) medicines of up to \(MedicationCatalogue.ownScalars) characters, or empty"
        case .names: "up to \(NameList.most) names of up to \(NameList.scalars) characters, or empty"
        }
    }

    /// Reads a value as it stands in a file, a variable or on the command line.
    ///
    /// - Returns: The value, or nil if the text is not of this kind or out of range.
    public func value(_ text: String) -> SettingValue? {
        switch self {
        case .clockTime:
            // 6:30 is 06:30.
            return ((try? ClockTime(text: text)) ?? (try? ClockTime(text: "0" + text))).map(SettingValue.clockTime)
        case .integer(let bounds):
            return Self.integer(text).flatMap { bounds.contains($0) ? .integer($0) : nil }
        case .choice(let numbers):
            return Self.integer(text).flatMap { numbers.contains($0) ? .integer($0) : nil }
        case .word(let words):
            let word = text.lowercased()
            return words.contains(word) ? .text(word) : nil
        case .delay(let bounds):
            if ["off", "false", "no"].contains(text.lowercased()) { return .delay(nil) }
            return Self.integer(text).flatMap { bounds.contains($0) ? .delay($0) : nil }
        case .program: return Self.isProgram(text) ? .text(text) : nil
        case .sentence: return Self.isSentence(text) ? .text(text) : nil
        case .flag:
            switch text.lowercased() {
            case "true", "yes", "on": return .flag(true)
            case "false", "no", "off": return .flag(false)
            default: return nil
            }
        case .zone:
            return text.utf8.count <= 255 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? .text(text) : nil
        case .soundName: return Self.isSoundName(text) ? .text(text) : nil
        case .sleepEvents:
            return (try? SleepEventCatalogue(custom: Self.names(text))).map(SettingValue.sleepEvents)
        case .medications:
            return (try? MedicationCatalogue(own: Self.names(text))).map(SettingValue.medications)
        case .names: return NameList(Self.names(text)).map(SettingValue.names)
        }
    }

    /// Returns the complaint about a text that gave no value.
    public func complaint(_ text: String) -> String {
        let shown = Quoted.text(text)
        return switch self {
        case .clockTime: sent("expected a time of day such as 21:30, found \(shown)")
        case .integer where Self.integer(text) == nil, .choice where Self.integer(text) == nil:
            sent("expected a whole number, found \(shown)")
        case .integer(let bounds): sent("\(shown) is out of range: \(bounds.lowerBound) to \(bounds.upperBound)")
        case .choice, .word: sent("\(shown) is none of \(range)")
        case .delay where Self.integer(text) == nil: sent("expected a whole number of seconds or off, found \(shown)")
        case .delay(let bounds): sent("\(shown) is out of range: \(bounds.lowerBound) to \(bounds.upperBound), or off")
        case .program: sent("\(shown) is no name of a program and no absolute path")
        case .sentence: sent("\(shown) cannot be spoken: expected \(range)")
        case .flag: sent("expected true or false, found \(shown)")
        case .zone: sent("\(shown) is no name of a time zone")
        case .soundName: sent("\(shown) is no name of a sound")
        case .sleepEvents: sent("\(shown) does not do: \(Self.fault(ofNames: text))")
        case .medications: sent("\(shown) does not do: \(Self.fault(ofMedications: text))")
        case .names: sent("\(shown) does not do: expected \(range)")
        }
    }

    private static func isSoundName(_ text: String) -> Bool {
        text.utf8.count <= 64
            && text.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0))
            }
    }

    private static func isProgram(_ text: String) -> Bool {
        text.utf8.count <= 255 && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } && !text.hasPrefix("-")
            && (text.hasPrefix("/") || !text.contains("/"))
    }

    private static func isSentence(_ text: String) -> Bool {
        (1...200).contains(text.unicodeScalars.count)
            && text.unicodeScalars.contains { $0.properties.isAlphabetic }
            && text.unicodeScalars.allSatisfy {
                ![.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
            }
    }

    private static func names(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }

    private static func fault(ofNames text: String) -> String {
        do throws(SleepEventNameError) {
            _ = try SleepEventCatalogue(custom: names(text))
            return ""
        } catch { return error.description }
    }

    private static func fault(ofMedications text: String) -> String {
        do throws(MedicationNameError) {
            _ = try MedicationCatalogue(own: names(text))
            return ""
        } catch { return error.description }
    }

    /// Reads plain decimal digits with an optional minus sign; no other of YAML's spellings, so `010` is not eight.
    private static func integer(_ text: String) -> Int? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
        guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            digits == "0" || !digits.hasPrefix("0")
        else { return nil }
        return Int(text)
    }
}

/// Text from a file as it may be repeated in a complaint.
public enum Quoted {
    /// Returns the text quoted, cut at 60 characters, with control characters replaced: a complaint is one line on a
    /// terminal and in the journal.
    public static func text(_ text: String) -> String {
        let safe = text.unicodeScalars.prefix(60).map { scalar -> Character in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                "\u{FFFD}"
            default: Character(scalar)
            }
        }
        return "“" + String(safe) + (text.unicodeScalars.count > 60 ? "…" : "") + "”"
    }
}
