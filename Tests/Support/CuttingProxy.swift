#if os(Linux)
    import CarillonCore
    import Foundation
    import Glibc
    import Synchronization

    /// Stands between a program and PostgreSQL on a loopback port, and cuts connections at random moments.
    ///
    /// It also cuts when the server has committed and its answer is under way.
    ///
    /// Each connection has two threads.
    package final class CuttingProxy: Sendable {
        /// The frequency of cuts: one in so many; 0 for never.
        package struct Rates: Sendable {
            /// One in so many answers to a commit is cut instead of passed on.
            var commitAnswers: UInt64
            /// One in so many other pieces is cut, in either direction.
            var pieces: UInt64
            /// The number of answers to a commit that pass before everything is cut; `nil` for never.
            var commitsBeforeLoss: Int?

            package init(commitAnswers: UInt64, pieces: UInt64, commitsBeforeLoss: Int? = nil) {
                (self.commitAnswers, self.pieces) = (commitAnswers, pieces)
                self.commitsBeforeLoss = commitsBeforeLoss
            }
        }

        /// The number of cuts so far.
        package struct Cuts: Sendable {
            package var commitAnswers = 0
            package var others = 0
        }

        package let port: UInt16
        private let listener: Int32
        private let server: String
        private let state: Mutex<State>

        private struct State {
            var rates = Rates(commitAnswers: 0, pieces: 0)
            var chance: SeededGenerator
            var cuts = Cuts()
            var roundTrips = 0
            var waitsForAnswer = false
        }

        package struct CannotListen: Error {}

        /// - Parameters:
        ///   - folder: the folder of the server's socket.
        ///   - seed: the seed of the random moments of cuts.
        package init(to folder: URL, seed: UInt64) throws {
            guard let listening = LoopbackSocket.listening() else { throw CannotListen() }
            (listener, port) = listening
            server = folder.appendingPathComponent(".s.PGSQL.5432").path
            state = Mutex(State(chance: SeededGenerator(seed: seed)))
            Thread.detachNewThread { [self] in serve() }
        }

        package var cuts: Cuts { state.withLock(\.cuts) }

        /// The number of requests by clients that got an answer, whatever the length of either.
        package var roundTrips: Int { state.withLock(\.roundTrips) }

        /// Starts cutting at these rates.
        package func cut(_ rates: Rates) { state.withLock { $0.rates = rates } }

        /// Stops cutting.
        package func heal() { state.withLock { $0.rates = Rates(commitAnswers: 0, pieces: 0) } }

        /// Stops cutting, and accepts no further connections.
        package func stop() {
            heal()
            shutdown(listener, Int32(SHUT_RDWR))
        }

        private func serve() {
            while case let client = accept(listener, nil, nil), client >= 0 {
                guard let server = LoopbackSocket.connected(to: server) else {
                    close(client)
                    continue
                }
                let pair = Pair(client: client, server: server)
                Thread.detachNewThread { [self] in pass(pair, from: client, to: server, isAnswer: false) }
                Thread.detachNewThread { [self] in pass(pair, from: server, to: client, isAnswer: true) }
            }
            close(listener)
        }

        /// Both ends of a connection, closed when neither direction needs them.
        private final class Pair: Sendable {
            private let client: Int32
            private let server: Int32

            init(client: Int32, server: Int32) { (self.client, self.server) = (client, server) }

            func cut() {
                shutdown(client, Int32(SHUT_RDWR))
                shutdown(server, Int32(SHUT_RDWR))
            }

            deinit {
                close(client)
                close(server)
            }
        }

        private func pass(_ pair: Pair, from source: Int32, to target: Int32, isAnswer: Bool) {
            defer { pair.cut() }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(source, &buffer, buffer.count, 0)
                guard count > 0 else { return }
                let piece = Data(buffer[..<count])
                note(isAnswer: isAnswer)
                let isCut = isAnswer && isCommit(piece) ? cutsCommit() : cutsPiece()
                guard !isCut, LoopbackSocket.write(piece, to: target) else { return }
            }
        }

        private func note(isAnswer: Bool) {
            state.withLock { state in
                if isAnswer, state.waitsForAnswer { state.roundTrips += 1 }
                state.waitsForAnswer = !isAnswer
            }
        }

        /// Whether a piece has PostgreSQL's confirmation that a transaction is on the disk.
        private func isCommit(_ piece: Data) -> Bool { piece.range(of: Data("COMMIT\0".utf8)) != nil }

        private func cutsCommit() -> Bool {
            state.withLock { state in
                if let left = state.rates.commitsBeforeLoss {
                    state.rates.commitsBeforeLoss = left - 1
                    guard left <= 0 else { return false }
                    state.rates = Rates(commitAnswers: 1, pieces: 1)
                }
                guard state.rates.commitAnswers > 0, state.chance.next() % state.rates.commitAnswers == 0 else {
                    return false
                }
                state.cuts.commitAnswers += 1
                return true
            }
        }

        private func cutsPiece() -> Bool {
            state.withLock { state in
                guard state.rates.pieces > 0, state.chance.next() % state.rates.pieces == 0 else { return false }
                state.cuts.others += 1
                return true
            }
        }
    }
#endif
