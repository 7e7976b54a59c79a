internal import CSystemd

extension Connection {
    /// Serves an interface at a path.
    public func serve(_ interface: ExportedInterface, at path: ObjectPath) throws(BusError) {
        let served = try ServedInterface(interface, at: path, connection: self)
        try served.attach(to: live())
        objects[served.key] = served
    }

    /// Serves it no longer.
    public func unserve(_ interface: String, at path: ObjectPath) {
        objects.removeValue(forKey: ObjectKey(path: path, interface: interface))?.release()
    }

    /// Changes properties; those that are new are told in one `PropertiesChanged` signal.
    public func set(_ properties: [String: Variant], of interface: String, at path: ObjectPath) throws(BusError) {
        guard let served = objects[ObjectKey(path: path, interface: interface)] else { return }
        var changed: [String] = []
        for (name, value) in properties where served.values[name] != value {
            served.values[name] = value
            changed.append(name)
        }
        guard !changed.isEmpty else { return }
        var names: [UnsafeMutablePointer<CChar>?] = changed.sorted().map { strdup($0) }
        names.append(nil)
        defer { for name in names { free(name) } }
        try check(
            sd_bus_emit_properties_changed_strv(live(), path.text, interface, &names), "telling changed properties")
    }

    /// A call has come in: decodes it now, runs its handler, answers when the handler is done.
    func received(_ message: OpaquePointer, for served: ServedInterface) -> CInt {
        guard let member = sd_bus_message_get_member(message), let method = served.methods[String(cString: member)]
        else { return 0 }
        let handler: ExportedInterface.Method.Handler
        do throws(BusError) {
            handler = try method.prepare(MessageReader(pointer: message, limits: served.interface.limits))
        } catch {
            var error = error
            error.name = served.interface.limits.errorName
            reply(to: message, with: error)
            return 1
        }
        let sender = sd_bus_message_get_sender(message).map { String(cString: $0) }
        lastIncoming += 1
        let id = lastIncoming
        unanswered[id] = sd_bus_message_ref(message)
        let call = ExportedInterface.Call(sender: sender, connection: self)
        Task.immediate(executorPreference: loop) {
            do { self.answer(id, .success(try await handler(call))) } catch {
                self.answer(id, .failure(error))
            }
        }
        return 1
    }

    private func answer(_ id: UInt64, _ result: Result<any DBusReply, any Error>) {
        guard let message = unanswered.removeValue(forKey: id) else { return }
        defer { sd_bus_message_unref(message) }
        switch result {
        case .success(let value):
            do throws(BusError) { try reply(to: message, with: value) } catch { reply(to: message, with: error) }
        case .failure(let error as BusError): reply(to: message, with: error)
        case .failure(let error):
            reply(
                to: message,
                with: BusError(name: "org.freedesktop.DBus.Error.Failed", message: "\(type(of: error))"))
        }
    }

    private func reply(to message: OpaquePointer, with value: any DBusReply) throws(BusError) {
        var answer: OpaquePointer?
        try check(sd_bus_message_new_method_return(message, &answer), "replying")
        guard let answer else { return }
        defer { sd_bus_message_unref(answer) }
        try value.append(reply: MessageWriter(pointer: answer))
        try check(sd_bus_send(live(), answer, nil), "replying")
    }

    private func reply(to message: OpaquePointer, with error: BusError) {
        guard let bus, sd_bus_message_get_expect_reply(message) > 0 else { return }
        var raw = sd_bus_error()
        csystemd_error_set(&raw, error.name, error.message)
        defer { sd_bus_error_free(&raw) }
        var answer: OpaquePointer?
        guard sd_bus_message_new_method_error(message, &answer, &raw) >= 0, let answer else { return }
        defer { sd_bus_message_unref(answer) }
        if !error.details.isEmpty { try? error.details.append(to: MessageWriter(pointer: answer)) }
        sd_bus_send(bus, answer, nil)
    }
}
