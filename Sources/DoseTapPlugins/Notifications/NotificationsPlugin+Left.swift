internal import DoseTapDomain
internal import SystemdJournal

/// What is left on the screen from one process to the next.
extension NotificationsPlugin {
    /// Takes over what an earlier process left with this server: what holds will be shown in its place, the rest goes,
    /// and until then a press on it counts.
    func adopt(from server: NotificationServer) {
        identity = server.identity
        written = nil
        do {
            if let content = try file?.read(), content.server == server.identity {
                for entry in content.shown {
                    let showing = Showing(left: entry)
                    places[entry.place]?.adopt(showing, id: entry.id)
                    remember(showing, entry.id)
                }
            }
        } catch { forget("What an earlier process left on the screen is not known", error) }
        keep()
    }

    /// Writes down what stands on the screen, if that is news.
    func keep() {
        guard let file, let identity else { return }
        let entries = Place.allCases.compactMap { place in
            places[place]?.shown.map { id, showing in
                ShownFile.Entry(place: place, id: id, session: showing.session, made: showing.made)
            }
        }
        let content = ShownFile.Content(server: identity, shown: entries)
        guard content != written else { return }
        written = content
        do { try file.write(content) } catch {
            forget("What stands on the screen would be forgotten by a crash", error)
        }
    }

    /// Without the file everything goes on; said once.
    private func forget(_ what: String, _ error: any Error) {
        guard !isForgetful else { return }
        isForgetful = true
        let why = "\(error)".journalText
        journal.send(
            JournalEntry(
                message: "\(what): \(why)", priority: .notice,
                fields: [("DOSETAP_REASON", why)]))
    }
}

extension Showing {
    /// What an earlier process showed.
    fileprivate init(left entry: ShownFile.Entry) {
        self.init(
            subject: .left, session: entry.session,
            content: NotificationContent(summary: "", lines: [], urgency: .normal), due: nil, made: entry.made)
    }
}
