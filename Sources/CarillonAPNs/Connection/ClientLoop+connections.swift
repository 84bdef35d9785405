import NIOCore

/// The methods that receive the events of connections, on the event loop.
extension ClientLoop {
    /// Records the step that an attempt to connect has reached.
    func reached(_ step: ConnectStep, connection: ConnectionID) {
        pool.reached(step, connection: connection, at: now)
    }

    /// Keeps the NIO channel of a new TCP connection, so that the client can end the attempt to connect.
    func opened(_ channel: any Channel, connection: ConnectionID) {
        guard pool.index(of: connection) != nil else { return channel.close(promise: nil) }
        channels[connection] = channel
        addressesOnTrial[connection] = channel.remoteAddress
    }

    func negotiated(_ handler: APNsConnectionHandler, server: String, connection: ConnectionID) {
        guard pool.index(of: connection) != nil else { return handler.close() }
        reached(.settings(server), connection: connection)
        handlers.append(handler)
    }

    func received(_ head: APNsAnswerHead?, isLast: Bool, connection: ConnectionID, stream: StreamID) {
        perform {
            pool.received(head, isLast: isLast, connection: connection, stream: stream, at: now, into: &$0)
        }
    }

    func received(_ bytes: ByteBuffer, isLast: Bool, connection: ConnectionID, stream: StreamID) {
        perform {
            pool.received(bytes, isLast: isLast, connection: connection, stream: stream, at: now, into: &$0)
        }
    }

    func streamWasReset(connection: ConnectionID, stream: StreamID, code: HTTP2Code) {
        perform {
            $0 += pool.streamWasReset(connection: connection, stream: stream, code: code, at: now)
        }
    }

    /// Ends the overdue requests among those whose bodies wait for the server's window.
    func timePassed(forBodiesOn streams: [StreamID], connection: ConnectionID) {
        perform { $0 += pool.timePassed(forBodiesOn: streams, of: connection, at: now) }
    }

    func receivedSettings(streamLimit: Int?, connection: ConnectionID) {
        if let address = addressesOnTrial.removeValue(forKey: connection) { addressOrder.worked(address) }
        perform { $0 += pool.receivedSettings(streamLimit: streamLimit, connection: connection, at: now) }
    }

    func receivedWindow(byteCount: Int, connection: ConnectionID) {
        perform { $0 += pool.receivedWindow(byteCount: byteCount, connection: connection, at: now) }
    }

    func receivedGoAway(lastStream: StreamID, reason: String, connection: ConnectionID) {
        perform {
            $0 += pool.receivedGoAway(lastStream: lastStream, reason: reason, connection: connection, at: now)
        }
    }

    func receivedPong(connection: ConnectionID) {
        perform { $0 += pool.receivedPong(connection: connection, at: now) }
    }

    func writabilityChanged(isWritable: Bool, connection: ConnectionID) {
        perform { $0 += pool.writabilityChanged(isWritable: isWritable, connection: connection, at: now) }
    }

    func connectionClosed(_ connection: ConnectionID, why: String, distrust: Distrust? = nil) {
        forgetHandler(of: connection)
        forgetChannel(of: connection)
        perform { $0 += pool.connectionClosed(connection, why: why, distrust: distrust, at: now) }
    }
}
