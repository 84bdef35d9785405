import CarillonCore
import NIOCore
import Testing

@testable import CarillonAPNs

/// Stands in for the shell of a pool, without a socket: keeps what the pool asked for, and checks that it asks for nothing
/// that HTTP/2 or APNs forbids.
struct PoolHarness {
    struct Server {
        var isReady = false
        var isDraining = false
        var isClosed = false
        /// The newest MAX_CONCURRENT_STREAMS.
        var limit = Int.max
        var streams: [StreamID: RequestID] = [:]
        var lastStream: StreamID = -1
        var tokens: [(token: IssuedProviderToken, from: Timestamp)] = []
    }

    enum End: Equatable {
        case answer(Int, APNsReason?)
        case failed(APNsError.Code)
    }

    var pool: Pool
    var now: ClockReading
    var servers: [ConnectionID: Server] = [:]
    var ends: [RequestID: End] = [:]
    var errors: [RequestID: APNsError] = [:]
    var opened: [RequestID: Int] = [:]
    var deadlines: [RequestID: Timestamp] = [:]
    var warnings: [PoolWarning] = []
    var pings: [ConnectionID] = []
    var resets: [StreamID] = []
    var tokensMade: Set<Int> = []
    var hasStopped = false

    init(seed: UInt64 = 1, limits: APNsLimits = APNsLimits(), usesTokens: Bool = true) {
        pool = Pool(limits: limits, usesTokens: usesTokens, seed: seed)
        now = ClockReading(wall: TestValues.start, steady: Timestamp(millisecondsSince1970: 1000))
    }

    // MARK: What happens

    @discardableResult
    mutating func send(within deadline: Duration = .seconds(30), byteCount: Int = 0) -> RequestID {
        var actions: [PoolAction] = []
        let id = pool.submit(byteCount: byteCount, deadline: now.steady + deadline, at: now, into: &actions)
        deadlines[id] = now.steady + deadline
        perform(actions)
        return id
    }

    @discardableResult
    mutating func send(count: Int) -> [RequestID] { (0..<count).map { _ in send() } }

    mutating func window(_ byteCount: Int, on connection: ConnectionID) {
        perform(pool.receivedWindow(byteCount: byteCount, connection: connection, at: now))
    }

    mutating func cancel(_ id: RequestID) { perform(pool.cancel(id, at: now)) }

    mutating func pass(_ duration: Duration) {
        let end = now.steady + duration
        while let next = pool.nextDeadline, next <= end {
            move(to: max(next, now.steady))
            perform(pool.timePassed(at: now))
            if let following = pool.nextDeadline, following <= now.steady {
                Issue.record("the pool asks to be woken at a moment that it has just dealt with")
                break
            }
        }
        move(to: end)
    }

    /// Time passes while the process stands still: no timer runs, and whatever comes next is handled first.
    mutating func freeze(_ duration: Duration) { move(to: now.steady + duration) }

    mutating func settings(_ limit: Int?, on connection: ConnectionID) {
        servers[connection]?.isReady = true
        if let limit { servers[connection]?.limit = limit }
        perform(pool.receivedSettings(streamLimit: limit, connection: connection, at: now))
    }

    mutating func reached(_ step: ConnectStep, on connection: ConnectionID) {
        pool.reached(step, connection: connection, at: now)
    }

    mutating func accept(_ stream: StreamID, on connection: ConnectionID) {
        servers[connection]?.streams[stream] = nil
        receive(APNsAnswerHead(status: 200), isLast: true, stream, on: connection)
    }

    mutating func acceptAll(on connection: ConnectionID) {
        for stream in (servers[connection]?.streams.keys).map(Array.init)?.sorted() ?? [] {
            accept(stream, on: connection)
        }
    }

    mutating func refuse(
        _ stream: StreamID, on connection: ConnectionID, status: Int, _ reason: APNsReason, timestamp: Int64? = nil
    ) {
        servers[connection]?.streams[stream] = nil
        receive(APNsAnswerHead(status: status), isLast: false, stream, on: connection)
        let extra = timestamp.map { #","timestamp":\#($0)"# } ?? ""
        receive(.init(string: #"{"reason":"\#(reason)"\#(extra)}"#), isLast: true, stream, on: connection)
    }

    mutating func receive(
        _ head: APNsAnswerHead, isLast: Bool, _ stream: StreamID, on connection: ConnectionID
    ) {
        var actions: [PoolAction] = []
        pool.received(head, isLast: isLast, connection: connection, stream: stream, at: now, into: &actions)
        perform(actions)
    }

    mutating func receive(_ body: ByteBuffer, isLast: Bool, _ stream: StreamID, on connection: ConnectionID) {
        var actions: [PoolAction] = []
        pool.received(body, isLast: isLast, connection: connection, stream: stream, at: now, into: &actions)
        perform(actions)
    }

    mutating func reset(_ stream: StreamID, on connection: ConnectionID, refused: Bool) {
        servers[connection]?.streams[stream] = nil
        perform(
            pool.streamWasReset(
                connection: connection, stream: stream, code: refused ? .refusedStream : .internalError, at: now))
    }

    mutating func goAway(last: StreamID, on connection: ConnectionID) {
        servers[connection]?.isDraining = true
        for stream in servers[connection]?.streams.keys.filter({ $0 > last }) ?? [] {
            servers[connection]?.streams[stream] = nil
        }
        perform(pool.receivedGoAway(lastStream: last, reason: "test", connection: connection, at: now))
    }

    mutating func lose(_ connection: ConnectionID) {
        servers[connection]?.isClosed = true
        servers[connection]?.streams = [:]
        perform(pool.connectionClosed(connection, why: "test", at: now))
    }

    mutating func pong(_ connection: ConnectionID) { perform(pool.receivedPong(connection: connection, at: now)) }

    mutating func writable(_ isWritable: Bool, _ connection: ConnectionID) {
        perform(pool.writabilityChanged(isWritable: isWritable, connection: connection, at: now))
    }

    mutating func replaceCredential() { perform(pool.replaceCredential(usesTokens: true, at: now)) }

    mutating func shutDown() { perform(pool.shutDown(at: now)) }

    // MARK: What is there

    var openConnections: [ConnectionID] { servers.filter { !$0.value.isClosed }.keys.sorted() }

    func streams(on connection: ConnectionID) -> [StreamID] { servers[connection]?.streams.keys.sorted() ?? [] }

    // MARK: What the pool wants

    private mutating func move(to moment: Timestamp) {
        now.wall = now.wall + (moment - now.steady)
        now.steady = moment
    }

    mutating func perform(_ actions: [PoolAction]) {
        for action in actions { perform(action) }
    }

    private mutating func perform(_ action: PoolAction) {
        #expect(!hasStopped || action == .stopped, "after the stop there is nothing to do, but: \(action)")
        switch action {
        case .connect(let id):
            #expect(servers[id] == nil)
            servers[id] = Server()
        case .open(let request, let connection, let stream, let token):
            open(request, connection, stream, token)
        case .reset(let connection, let stream):
            #expect(servers[connection]?.streams.removeValue(forKey: stream) != nil)
            resets.append(stream)
        case .ping(let connection):
            #expect(servers[connection]?.isClosed == false)
            pings.append(connection)
        case .close(let connection):
            #expect(servers[connection]?.isClosed == false)
            servers[connection]?.isClosed = true
            servers[connection]?.streams = [:]
        case .answer(let request, let answer): end(request, .answer(answer.head.status, answer.error?.reason))
        case .fail(let request, let error):
            errors[request] = error
            end(request, .failed(error.code))
        case .warn(let warning): warnings.append(warning)
        case .stopped: hasStopped = true
        }
    }

    private mutating func end(_ request: RequestID, _ end: End) {
        #expect(ends[request] == nil, "a request ends once")
        ends[request] = end
    }

    private mutating func open(
        _ request: RequestID, _ connection: ConnectionID, _ stream: StreamID, _ token: IssuedProviderToken?
    ) {
        guard var server = servers[connection] else {
            Issue.record("a stream on a connection that was never asked for")
            return
        }
        #expect(server.isReady && !server.isClosed, "no stream before SETTINGS or after the end")
        #expect(!server.isDraining, "no stream after GOAWAY")
        #expect(server.streams.count < server.limit, "MAX_CONCURRENT_STREAMS is kept")
        #expect(stream > server.lastStream && !stream.isMultiple(of: 2), "stream ids are odd and rise")
        #expect(ends[request] == nil, "what has ended is not sent")
        #expect(deadlines[request].map { $0 > now.steady } ?? true, "what is overdue is not sent")
        if let token { check(token, &server) }
        server.lastStream = stream
        server.streams[stream] = request
        servers[connection] = server
        opened[request, default: 0] += 1
    }

    private mutating func check(_ token: IssuedProviderToken, _ server: inout Server) {
        tokensMade.insert(token.number)
        if let last = server.tokens.last, last.token != token {
            #expect(
                now.steady - last.from >= .seconds(20 * 60), "a connection's token changes every 20 minutes at most")
        }
        if server.tokens.last?.token != token { server.tokens.append((token, now.steady)) }
        #expect(now.steady - token.made.steady < .seconds(3600), "a token is never older than an hour")
    }
}
