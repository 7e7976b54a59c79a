package import DoseTapDomain
package import DoseTapExchange

/// A reader that turns the files of a source into import lines.
protocol Importer {
    /// Reads a file to its end.
    ///
    /// - Throws: ``ExchangeFault`` if the file is none of the source, is cut or wrong. The stream is incomplete then.
    static func read(_ file: ForeignFile, into writer: inout ImportWriter) throws(ExchangeFault)
}

/// One pass: reads a file of a source and writes import lines.
package enum ImportRun {
    /// Returns the importer of a source; nil for a source that is no file of another program.
    private static func importer(_ source: ImportSource) -> (any Importer.Type)? {
        switch source {
        case .log: nil
        case .ios: IOSImporter.self
        case .appleHealth: AppleHealthImporter.self
        case .gadgetbridge: GadgetbridgeImporter.self
        case .sleepAsAndroid: SleepAsAndroidImporter.self
        case .plees: PleesImporter.self
        case .fitbit: FitbitImporter.self
        case .oura: OuraImporter.self
        }
    }

    /// The words of the sources that have an importer.
    package static var sources: [String] {
        ImportSource.allCases.filter { importer($0) != nil }.map(\.rawValue)
    }

    /// Writes the import lines of a file.
    ///
    /// - Parameter zone: the zone of times without an offset; nil if the person named none.
    /// - Throws: ``ExchangeFault``.
    package static func write(
        _ source: ImportSource, _ file: ForeignFile, zone: Zone?, to output: Output
    ) throws(ExchangeFault) {
        guard let importer = importer(source) else {
            throw ExchangeFault(.usage, sent("A log is read by the service itself."))
        }
        guard file.size > 0 else { throw ExchangeFault(.stream, sent("The file is empty.")) }
        var writer = ImportWriter(source, zone: zone, output: output)
        try importer.read(file, into: &writer)
        try writer.finish()
    }
}
