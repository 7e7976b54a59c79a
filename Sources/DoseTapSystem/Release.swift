internal import CLinux

/// The release of the programs.
public enum Release {
    /// The only place of the version, by Semantic Versioning 2.0.0. The packages and `Contrib/release` read it here.
    private static let version = "0.10.0-dev"

    /// The version, with the commit if the build was told it: `0.10.0-dev+g1a2b3c4d5e6f`.
    public static let name: String = {
        let commit = String(cString: clinux_commit())
        return commit.isEmpty ? version : "\(version)+g\(commit)"
    }()
}
