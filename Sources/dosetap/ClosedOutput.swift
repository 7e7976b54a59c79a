internal import Glibc

/// Notices when the reader of stdout goes away, also while there is nothing to write.
enum ClosedOutput {
    /// Sends SIGTERM to this program once a pipe or socket on stdout has lost its reader; block the signal before.
    static func watch() {
        var status = stat()
        guard fstat(STDOUT_FILENO, &status) == 0 else { return }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFIFO || kind == S_IFSOCK else { return }
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { _ in
                // No event is asked for: the kernel reports the lost reader (POLLERR, POLLHUP) all the same.
                var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
                while poll(&output, 1, -1) < 0 && errno == EINTR {}
                kill(getpid(), SIGTERM)
                return nil
            }, nil)
        if result == 0 { pthread_detach(thread) }
    }
}
