import Logging
import NIOCore

/// What the pool wants done.
extension ClientLoop {
    func act(_ action: PoolAction) {
        switch action {
        case .connect(let id): connect(id)
        case .open(let id, let connection, let stream, let token): open(id, connection, stream, token)
        case .reset(let connection, let stream): handlers[connection]?.reset(stream)
        case .ping(let connection): handlers[connection]?.ping()
        case .close(let connection): close(connection)
        case .answer(let id, let answer): end(id) { .success(answer.outcome(to: $0)) }
        case .fail(let id, let error): end(id) { _ in .failure(error) }
        case .warn(let warning): warning.log(to: logger)
        case .stopped: stopped()
        }
    }

    /// The outcome goes to the caller when everything that has come is dealt with.
    private func end(_ id: RequestID, with result: (APNsNotification) -> Result<APNsOutcome, APNsError>) {
        let place = SlotTable<Pool.Request>.place(of: id)
        guard place < requests.count, let request = requests[place], request.id == id else { return }
        requests[place] = nil
        completions.append((request, result(request.notification)))
    }

    private func connect(_ id: ConnectionID) {
        if let warning = connector.certificate?.warning(at: now.wall) {
            logger.warning("the client certificate ends soon", metadata: ["what": "\(warning)"])
        }
        connector.connect(id, owner: self).whenComplete { result in
            switch result {
            case .success(let channel):
                guard self.pool.index(of: id) != nil else { return channel.close(promise: nil) }
                self.channels[id] = channel
            case .failure(let error):
                let problem = ConnectionErrorText.sentence(error)
                self.connectionClosed(id, why: "connecting to \(self.connector.endpoint) failed: \(problem)")
            }
        }
    }

    private func open(_ id: RequestID, _ connection: ConnectionID, _ stream: StreamID, _ token: IssuedProviderToken?) {
        guard let request = requests[SlotTable<Pool.Request>.place(of: id)], request.id == id,
            let handler = handlers[connection]
        else { return }
        var authorization: ByteBuffer?
        if let token {
            authorization = signer.authorization(for: token)
            guard authorization != nil else { return perform { $0 += pool.signingFailed(id, at: now) } }
        }
        handler.open(
            stream, request.notification, authority: connector.authority, authorization: authorization)
    }

    private func close(_ connection: ConnectionID) {
        if let handler = handlers.removeValue(forKey: connection) {
            handler.close()
        } else {
            channels[connection]?.close(promise: nil)
        }
        channels[connection] = nil
    }
}
