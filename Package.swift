// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
]

/// The commit that a package is built from (`Contrib/package/build`). It is not set while one develops: with each commit
/// everything would be built anew.
let commit: [CSetting] =
    Context.environment["DOSETAP_COMMIT"].map { [.define("DOSETAP_COMMIT", to: "\"\($0)\"")] } ?? []

/// What nights on a virtual clock run through, compiled as in a release: the gate asks for it (`.ci/run`), since its thousands
/// of nights then take a fifth of the time. While one develops, compiling it costs more than it saves.
let quickNights =
    Context.environment["DOSETAP_QUICK_NIGHTS"] == nil
    ? [] : ["DoseTapDomain", "DoseTapEngine", "DoseTapStore", "DoseTapSimulation", "DoseTapRandomNights"]

func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    let optimised: [SwiftSetting] =
        quickNights.contains(name)
        ? [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))] : []
    return .target(name: name, dependencies: dependencies, swiftSettings: strict + optimised)
}

func program(
    _ name: String, _ dependencies: [Target.Dependency], linkerSettings: [LinkerSetting] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, swiftSettings: strict, linkerSettings: linkerSettings)
}

/// Command and service are position independent. A fifth of the command's time went into relocating itself; with packed
/// relative relocations, which lld writes, that is a thirtieth. No library asks for a symbol of a program, so none is exported:
/// otherwise all of the Swift runtime is, and the command takes 3 % more instructions to start.
let quickStart: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "--no-export-dynamic",
            "-Xclang-linker", "-static-libgcc",
        ],
        .when(platforms: [.linux], configuration: .release))
]

/// A small program that shows a library to others.
func example(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: "example-" + name, dependencies: dependencies, path: "Contrib/examples/" + name, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["DoseTapTestSupport"], exclude: exclude, swiftSettings: strict)
}

let package = Package(
    name: "dosetap",
    products: [
        .executable(name: "dosetap", targets: ["dosetap"]),
        .executable(name: "dosetapd", targets: ["dosetapd"]),
        .executable(name: "dosetap-simulate", targets: ["dosetap-simulate"]),
        .executable(name: "dosetap-exchange", targets: ["dosetap-exchange"]),
        .executable(name: "dosetap-web", targets: ["dosetap-web"]),
        .library(name: "SDBus", targets: ["SDBus"]),
        .library(name: "SystemdJournal", targets: ["SystemdJournal"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    ],
    targets: [
        .target(name: "CSystemd", linkerSettings: [.linkedLibrary("systemd")]),
        room("SDBus", ["CSystemd"]),
        room("SystemdJournal", [logging]),
        example("bus-service", ["SDBus"]),
        example("journal-log", ["SystemdJournal", logging]),
        room("DoseTapDomain"),
        .target(name: "CLinux", cSettings: commit),
        .target(name: "CSQLite"),
        .target(
            name: "CImporters",
            linkerSettings: [.linkedLibrary("expat"), .linkedLibrary("sqlite3"), .linkedLibrary("z")]),
        room("DoseTapText", ["DoseTapDomain"]),
        room("DoseTapSystem", ["CLinux", "DoseTapDomain"]),
        room("DoseTapStore", ["CSQLite", "DoseTapDomain", grdb, sqlite, crypto]),
        room("DoseTapEngine", ["DoseTapDomain", logging]),
        room(
            "DoseTapPlugins",
            ["DoseTapDomain", "DoseTapText", "DoseTapSystem", "DoseTapEngine", "SDBus", "SystemdJournal"]),
        room("DoseTapContract", ["DoseTapDomain", "SDBus"]),
        room("DoseTapConfig", ["DoseTapDomain", yams]),
        room(
            "DoseTapService",
            [
                "SDBus", "SystemdJournal", "DoseTapDomain", "DoseTapText", "DoseTapSystem", "DoseTapStore",
                "DoseTapEngine", "DoseTapPlugins", "DoseTapContract", "DoseTapConfig", logging, crypto,
            ]),
        program("dosetapd", ["DoseTapService"], linkerSettings: quickStart),
        program(
            "dosetap", ["DoseTapDomain", "DoseTapText", "DoseTapSystem", "DoseTapContract", "SDBus", arguments],
            linkerSettings: quickStart),
        room(
            "DoseTapSimulation",
            [
                "SDBus", "SystemdJournal", "DoseTapDomain", "DoseTapSystem", "DoseTapStore", "DoseTapEngine",
                "DoseTapPlugins", "DoseTapText", logging,
            ]),
        program("dosetap-simulate", ["DoseTapSimulation"]),
        room("DoseTapReport", ["DoseTapDomain", "DoseTapText"]),
        room("DoseTapLab", ["DoseTapDomain"]),
        room(
            "DoseTapExchange",
            ["CLinux", "DoseTapDomain", "DoseTapLab", "DoseTapReport", "DoseTapText", crypto]),
        room(
            "DoseTapImporters", ["CImporters", "CSQLite", "DoseTapDomain", "DoseTapExchange", "DoseTapSystem"]),
        program("dosetap-exchange", ["DoseTapExchange", "DoseTapImporters"]),
        room("DoseTapWeb", ["CLinux", "DoseTapDomain", "DoseTapText", "SystemdJournal", crypto] + nio),
        program("dosetap-web", ["DoseTapWeb"]),
        room("DoseTapRandomNights", ["DoseTapDomain", "DoseTapSystem", "DoseTapSimulation", "SDBus"]),
        program("random-nights", ["DoseTapRandomNights"]),
        room(
            "DoseTapTestSupport",
            [
                "DoseTapDomain", "DoseTapEngine", "DoseTapStore", "DoseTapSimulation", "SDBus", "SystemdJournal",
                logging,
            ]),
        tests("SDBusTests", ["SDBus", "CSystemd"]),
        tests("SystemdJournalTests", ["SystemdJournal", logging]),
        tests("DoseTapDomainTests", ["DoseTapDomain"]),
        tests("DoseTapLabTests", ["DoseTapLab", "DoseTapDomain"]),
        tests("DoseTapTextTests", ["DoseTapText", "DoseTapDomain"]),
        tests("DoseTapSystemTests", ["CLinux", "DoseTapSystem", "DoseTapDomain"]),
        tests(
            "DoseTapStoreTests",
            ["CSQLite", "DoseTapStore", "DoseTapDomain", "DoseTapExchange", crypto, grdb], exclude: ["Fixtures"]),
        tests("DoseTapInstallTests", ["DoseTapPlugins"]),
        tests(
            "DoseTapExchangeTests", ["DoseTapExchange", "DoseTapDomain", "DoseTapImporters", "DoseTapReport"]),
        tests("DoseTapWebTests", ["DoseTapWeb", "DoseTapDomain", crypto]),
        tests("DoseTapConfigTests", ["DoseTapConfig", "DoseTapDomain", "DoseTapEngine", "DoseTapPlugins"]),
        tests(
            "DoseTapEngineTests",
            [
                "DoseTapEngine", "DoseTapDomain", "DoseTapStore", "DoseTapSimulation", "DoseTapRandomNights", "SDBus",
                "DoseTapPlugins", "SystemdJournal", logging,
            ]),
        tests(
            "DoseTapPluginsTests",
            [
                "DoseTapPlugins", "DoseTapEngine", "DoseTapConfig", "DoseTapDomain", "DoseTapText", "DoseTapSimulation",
                "SDBus", "SystemdJournal",
            ]),
        tests(
            "DoseTapContractTests", ["DoseTapContract", "DoseTapDomain", "DoseTapSimulation", "DoseTapText", "SDBus"]),
        tests(
            "ServiceTests",
            [
                "DoseTapContract", "DoseTapDomain", "DoseTapEngine", "DoseTapPlugins", "DoseTapService",
                "DoseTapSimulation", "DoseTapStore", "DoseTapSystem", "SDBus", logging,
            ]),
        tests(
            "CLITests",
            ["DoseTapDomain", "DoseTapEngine", "DoseTapSimulation", "DoseTapStore", "DoseTapSystem", "SDBus"]),
    ]
)
