internal import CSystemd
internal import Glibc

/// Small secrets that outlive this process, but not the service: the manager keeps them and hands them to the process that
/// it starts next (file descriptor store, sd_notify(3)). Without a manager nothing is kept.
public enum DescriptorStore {
    /// Gives the manager a content, in place of the content that it has under that name.
    ///
    /// - Parameters:
    ///   - content: The bytes to keep, in memory that is sealed against changes.
    ///   - name: letters and digits.
    public static func keep(_ content: [UInt8], as name: String) {
        let descriptor = content.withUnsafeBytes { csd_sealed_memory(name, $0.baseAddress, $0.count) }
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = csd_forget_descriptors(name)
        _ = csd_store_descriptor(name, descriptor)
    }

    /// Returns the content that the manager handed over under a name; nil if there is none.
    public static func kept(_ name: String, limit: Int) -> [UInt8]? {
        let descriptor = csd_handed_descriptor(name)
        guard descriptor >= 0 else { return nil }
        var content = [UInt8](repeating: 0, count: limit)
        let count = pread(descriptor, &content, limit, 0)
        return count > 0 ? Array(content.prefix(count)) : nil
    }

    public static func forget(_ name: String) { _ = csd_forget_descriptors(name) }

    /// Forbids the kernel to dump a core of this process, and other processes of this user to look into it.
    public static func forbidDumps() { csd_forbid_dumps() }
}
