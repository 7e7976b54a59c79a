import Foundation
import Glibc
import Testing

/// A thing that may lie in the place of a file and is no plain file of the person's own.
public enum Obstacle: Sendable, CaseIterable {
    case link
    case linkToDevice
    case hardLink
    case pipe
    case folder
    /// A device that gives zeros without end. Only root can make one.
    case device

    /// Returns the obstacles that this user can make.
    ///
    /// - Parameter withHardLink: true to include a second name of a file. A program that only reads a file need not
    ///   refuse it.
    public static func all(withHardLink: Bool = false) -> [Obstacle] {
        allCases.filter { (geteuid() == 0 || $0 != .device) && (withHardLink || $0 != .hardLink) }
    }

    /// Puts the obstacle at a path where nothing is.
    ///
    /// - Parameter theirs: the file that a link points to.
    public func put(at path: String, theirs: String) {
        switch self {
        case .link: #expect(symlink(theirs, path) == 0)
        case .linkToDevice: #expect(symlink("/dev/zero", path) == 0)
        case .hardLink: #expect(Glibc.link(theirs, path) == 0)
        case .pipe: #expect(mkfifo(path, 0o600) == 0)
        case .folder: #expect(mkdir(path, 0o700) == 0)
        // The number of /dev/zero: 1, 5 (null(4)).
        case .device: #expect(mknod(path, S_IFCHR | 0o600, 1 << 8 | 5) == 0)
        }
    }
}
