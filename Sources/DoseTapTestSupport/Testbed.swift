import Glibc

/// Whether the tests run inside `Tests/Support/testbed.sh`, with a journald and a `/run` of their own.
public enum Testbed {
    /// True inside the test bed; tests that need it are enabled by this: `.enabled(if: Testbed.isActive)`.
    public static var isActive: Bool {
        getenv("DOSETAP_TESTBED").map { String(cString: $0) } == "1"
    }
}
