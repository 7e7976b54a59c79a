import DoseTapContract
import SDBus

/// The interface file and org.dosetap.DoseTap1(5), printed from the rows of the contract.
enum ContractDocuments {
    // MARK: Interface file

    static var interfaceFile: String {
        var lines = [
            #"<!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN""#,
            #"  "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">"#, "", "<!--",
            "  \(Contract.name) - the D-Bus contract of DoseTap",
            "  Written by Contrib/documents from Sources/DoseTapContract/Members.",
        ]
        for section in ContractWords.before + ContractWords.after { lines += comment(section) }
        lines += ["-->", "<node name=\"\(Contract.path.rawValue)\">"]
        for interface in Contract.interfaces {
            lines += ["", "  <!--"] + wrapped(interface.summary, indent: 4) + ["  -->"]
            lines.append("  <interface name=\"\(interface.name)\">")
            for member in interface.members { lines += element(member) }
            lines.append("  </interface>")
        }
        return (lines + ["</node>", ""]).joined(separator: "\n")
    }

    private static func comment(_ section: ContractWords.Section) -> [String] {
        let items = section.items.flatMap { item in
            let name = item.type.isEmpty ? item.word : "\(item.word) \(item.type)"
            return wrapped("\(name): \(item.meaning)", indent: 4, hanging: 4)
        }
        return ["", "  \(section.title)", ""] + wrapped(section.text, indent: 2) + (items.isEmpty ? [] : [""] + items)
    }

    private static func element(_ member: Contract.Member) -> [String] {
        let prose = "\(member.name): \(member.summary)" + (member.details.isEmpty ? "" : "\n\n\(member.details)")
        var lines = ["", "    <!--"] + wrapped(prose, indent: 6) + ["    -->"]
        func arguments(_ arguments: [Contract.Argument], _ direction: String) -> [String] {
            arguments.map { "      <arg name=\"\($0.name)\" type=\"\($0.signature)\"\(direction)/>" }
        }
        switch member.kind {
        case .method:
            lines.append("    <method name=\"\(member.name)\">")
            lines += arguments(member.arguments, " direction=\"in\"") + arguments(member.results, " direction=\"out\"")
            lines.append("    </method>")
        case .signal:
            lines += ["    <signal name=\"\(member.name)\">"] + arguments(member.results, "") + ["    </signal>"]
        case .property(let change):
            let start = "    <property name=\"\(member.name)\" type=\"\(signature(of: member))\" access=\"read\""
            let told =
                switch change {
                case .emitsValue: ""
                case .invalidates: "invalidates"
                case .constant: "const"
                case .silent: "false"
                }
            guard !told.isEmpty else { return lines + [start + "/>"] }
            lines += [
                start + ">",
                "      <annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"\(told)\"/>",
                "    </property>",
            ]
        }
        return lines
    }

    // MARK: Manual page

    static var manual: String {
        var lines = [
            #".\" Written by Contrib/documents from Sources/DoseTapContract/Members."#, ".Dd November 22, 2026",
            ".Dt ORG.DOSETAP.DOSETAP1 5", ".Os", ".Sh NAME", ".Nm \(Contract.name)",
            ".Nd the D-Bus contract of DoseTap", ".Sh DESCRIPTION",
        ]
        for (index, section) in ContractWords.before.enumerated() {
            if index > 0 { lines.append(".Ss \(section.title)") }
            lines += text(section)
        }
        for interface in Contract.interfaces {
            lines += [".Ss Interface \(interface.name)"] + text(interface.summary) + [".Bl -tag -width Ds"]
            for member in interface.members {
                lines.append(item(member))
                lines += text(member.summary)
                if !member.details.isEmpty { lines += [".Pp"] + text(member.details) }
            }
            lines.append(".El")
        }
        for section in ContractWords.after { lines += [".Ss \(section.title)"] + text(section) }
        lines += [
            ".Sh FILES", ".Bl -tag -width Ds",
            ".It Pa /usr/share/dbus-1/interfaces/\(Contract.name).xml", "The interface file; below",
            ".Pa ~/.local/share", "where", ".Pa Contrib/install", "set it up.", ".El",
            ".Sh EXAMPLES", ".Dl $ busctl --user introspect \(Contract.name) \(Contract.path.rawValue)", ".Sh SEE ALSO",
            ".Xr dosetap 1 ,", ".Xr dosetapd 8", "",
        ]
        return lines.joined(separator: "\n")
    }

    private static func item(_ member: Contract.Member) -> String {
        func list(_ arguments: [Contract.Argument]) -> String {
            arguments.map { "\($0.signature) \($0.name)" }.joined(separator: " ")
        }
        switch member.kind {
        case .method:
            let taken = member.arguments.isEmpty ? "" : " Po \(list(member.arguments)) Pc"
            return ".It Ic \(member.name)\(taken) No -> \(list(member.results))"
        case .property: return ".It Va \(member.name) Pq \(signature(of: member))"
        case .signal: return ".It Em \(member.name) Pq \(list(member.results)) No (signal)"
        }
    }

    private static func text(_ section: ContractWords.Section) -> [String] {
        guard !section.items.isEmpty else { return text(section.text) }
        let items = section.items.flatMap { item in
            [".It Ic \(item.word)" + (item.type.isEmpty ? "" : " Pq \(item.type)")] + text(item.meaning)
        }
        return text(section.text) + [".Bl -tag -width Ds"] + items + [".El"]
    }

    /// Each sentence begins on a line of its own, as mandoc wants it.
    private static func text(_ prose: String) -> [String] {
        paragraphs(prose).map { words in
            var lines: [String] = []
            var line = ""
            var isAfterStop = true
            for word in words {
                if isAfterStop || line.utf8.count + 1 + word.utf8.count > 78 {
                    if !line.isEmpty { lines.append(line) }
                    line = (word.hasPrefix(".") || word.hasPrefix("'") ? "\\&" : "") + word
                } else {
                    line += " " + word
                }
                isAfterStop = word.hasSuffix(".") || word.hasSuffix(".)") || word.hasSuffix("?")
            }
            return lines + [line]
        }.reduce(into: []) { $0 += ($0.isEmpty ? [] : [".Pp"]) + $1 }
    }

    // MARK: Both

    private static func signature(of property: Contract.Member) -> String {
        property.results.map(\.signature).joined()
    }

    private static func paragraphs(_ prose: String) -> [[Substring]] {
        var paragraphs: [[Substring]] = [[]]
        for line in prose.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                paragraphs.append([])
            } else {
                paragraphs[paragraphs.count - 1] += line.split(separator: " ")
            }
        }
        return paragraphs
    }

    private static func wrapped(_ prose: String, indent: Int, hanging: Int = 0) -> [String] {
        let lines = paragraphs(prose).map { words in
            var lines: [String] = []
            var line = ""
            for word in words {
                if line.isEmpty { line = String(repeating: " ", count: indent) + word; continue }
                if line.utf8.count + 1 + word.utf8.count > 120 {
                    lines.append(line)
                    line = String(repeating: " ", count: indent + hanging) + word
                } else {
                    line += " " + word
                }
            }
            return lines + [line]
        }
        return Array(lines.joined(separator: [""]))
    }
}
