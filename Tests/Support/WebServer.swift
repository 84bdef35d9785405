#if os(Linux)
    import Foundation
    import Glibc
    import Synchronization

    /// A web server on a loopback port, with the files that a program under test is to download.
    ///
    /// It answers one request at a time, on its own thread.
    package final class WebServer: Sendable {
        package let port: UInt16
        /// The requested paths, as they come.
        package let requests: AsyncStream<String>
        private let asked: AsyncStream<String>.Continuation
        private let socket: Int32
        private let files: [String: WebFile]
        private let state = Mutex(State())

        private struct State {
            var paths: [String] = []
            var held: [Int32] = []
        }

        package struct CannotListen: Error {}

        /// - Parameter files: the files by path; the answer to any other path is 404.
        package init(_ files: [String: WebFile]) throws {
            self.files = files
            (requests, asked) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1000))
            guard let listening = LoopbackSocket.listening() else { throw CannotListen() }
            (socket, port) = listening
            Thread.detachNewThread { [self] in serve() }
        }

        /// Stops the server and closes every request that it has not answered.
        package func stop() {
            // The serving thread closes the socket: if it were closed here, its number could belong to another file when that
            // thread next looks.
            shutdown(socket, Int32(SHUT_RDWR))
            hangUp()
        }

        /// Closes the requests that the server has not answered.
        package func hangUp() {
            let open = state.withLock { state in
                defer { state.held = [] }
                return state.held
            }
            for connection in open { close(connection) }
        }

        package func url(_ path: String) throws -> URL {
            guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw URLError(.badURL) }
            return url
        }

        /// The requested paths, in order.
        package var paths: [String] { state.withLock(\.paths) }

        private func serve() {
            while case let connection = accept(socket, nil, nil), connection >= 0 { answer(connection) }
            close(socket)
            asked.finish()
        }

        private func answer(_ connection: Int32) {
            let words = LoopbackSocket.requestHead(connection).split(separator: " ", maxSplits: 2)
            let path = words.count > 1 ? String(words[1]) : ""
            let file = files[path] ?? .notFound
            state.withLock { state in
                state.paths.append(path)
                if file.isSilent || !file.ends { state.held.append(connection) }
            }
            asked.yield(path)
            guard !file.isSilent else { return }
            var takesMore = LoopbackSocket.write(file.head, to: connection)
            for chunk in file.chunks where takesMore { takesMore = LoopbackSocket.write(chunk, to: connection) }
            if file.ends { close(connection) }
        }
    }
#endif
