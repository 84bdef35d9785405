import Logging
import NIOCore

/// The methods that perform the actions on which the ``Pool`` decides.
extension ClientLoop {
    func act(_ action: PoolAction) {
        switch action {
        case .connect(let id): connect(id)
        case .open(let id, let connection, let stream, let token): open(id, connection, stream, token)
        case .reset(let connection, let stream): handler(of: connection)?.reset(stream)
        case .ping(let connection): handler(of: connection)?.ping()
        case .close(let connection): close(connection)
        case .answer(let id, let answer): end(id, with: answer)
        case .fail(let id, let error): if let request = take(id) { completions.append((request, .failure(error))) }
        case .warn(let warning): warning.log(to: logger)
        case .stopped: stopped()
        }
    }

    /// Ends a request with an answer.
    ///
    /// The caller gets the outcome when the loop has processed everything that came with the current read from the socket.
    private func end(_ id: RequestID, with answer: APNsAnswer) {
        guard let request = take(id) else { return }
        request.content.reply?.answer = answer
        completions.append((request, .success(answer.outcome(to: request.content.id, at: now.wall))))
    }

    private func take(_ id: RequestID) -> PendingSend? {
        let place = SlotTable<PoolRequests.Request>.place(of: id)
        guard place < requests.count, let request = requests[place], request.id == id else { return nil }
        requests[place] = nil
        return request
    }

    private func connect(_ id: ConnectionID) {
        watchCertificate()
        connector.connect(id, owner: self).whenComplete { result in
            switch result {
            case .success(let channel):
                if self.pool.index(of: id) == nil { channel.close(promise: nil) }
            case .failure(let error):
                let problem = ConnectionErrorText.sentence(error)
                self.connectionClosed(id, why: "connecting to \(self.connector.endpoint) failed: \(problem)")
            }
        }
    }

    private func open(_ id: RequestID, _ connection: ConnectionID, _ stream: StreamID, _ token: IssuedProviderToken?) {
        guard let request = requests[SlotTable<PoolRequests.Request>.place(of: id)], request.id == id,
            let handler = handler(of: connection)
        else { return }
        var authorization: ByteBuffer?
        if let token {
            authorization = signer.authorization(for: token)
            guard authorization != nil else { return perform { $0 += pool.signingFailed(id, at: now) } }
        }
        handler.open(stream, request, authority: connector.authority, authorization: authorization)
    }

    private func handler(of connection: ConnectionID) -> APNsConnectionHandler? {
        handlers.first { $0.id == connection }
    }

    func forgetHandler(of connection: ConnectionID) { handlers.removeAll { $0.id == connection } }

    /// Forgets a connection's NIO channel.
    ///
    /// If the server's SETTINGS have not arrived, the attempt counts as a failure of the server's address.
    func forgetChannel(of connection: ConnectionID) {
        channels[connection] = nil
        if let address = addressesOnTrial.removeValue(forKey: connection) { addressOrder.failed(address) }
    }

    private func close(_ connection: ConnectionID) {
        if let handler = handler(of: connection) {
            forgetHandler(of: connection)
            handler.close()
        } else {
            channels[connection]?.close(promise: nil)
        }
        forgetChannel(of: connection)
    }
}
