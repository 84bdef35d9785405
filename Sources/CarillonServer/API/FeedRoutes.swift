import CarillonCore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// The route of `/v1/events`: the feed of an app's events, in pages or as a stream.
struct FeedRoutes {
    let service: ServiceContext
    let feed: FeedCalls

    func add(to router: Router<ServiceRequestContext>) {
        router.get("/v1/events") { request, _ in try await events(request) }
    }

    /// A reader's question: the app, the events that it wants, and where it has stopped reading.
    struct Question: Sendable {
        let caller: CallerAuthentication.Backend
        let selection: FeedSelection
        var after: FeedPosition?
        let limit: Int
    }

    private func events(_ request: Request) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .read)
        let query = request.uri.queryParameters
        var question = Question(
            caller: caller, selection: try Self.selection(query.get("types"), texts: query.get("texts")),
            after: try query.get("after").map { try Self.cursor($0, "after") },
            limit: try Self.limit(query.get("limit")))
        guard request.headers[.accept]?.lowercased().contains("text/event-stream") == true else {
            let page = try await page(question)
            return JSONBody.answer(text: "{\"events\":\(FeedEvent.json(of: page.events)),\"next\":\"\(page.next)\"}")
        }
        if let name = HTTPField.Name("Last-Event-ID"), let last = request.headers[name] {
            question.after = try Self.cursor(last, "Last-Event-ID")
        }
        return try await stream(question)
    }

    /// Reads a page.
    ///
    /// - Throws: ``Problem`` 400 for a cursor of another database, 410 for one whose next events are not kept any more.
    func page(_ question: Question) async throws -> FeedPage {
        let reading = try await feed.read(
            question.caller.app.number, after: question.after, question.selection, limit: question.limit,
            at: service.clock.now)
        switch reading {
        case .page(let page): return page
        case .foreign:
            let cursor = question.after?.description ?? ""
            throw Problem.query("after: \(cursor) is a cursor of another database: begin again without it")
        case .gone(let since):
            throw Problem(
                .gone, "events-gone", "The events are not kept any more",
                "the events after \(question.after?.description ?? "this cursor") are not complete; there are events since \(since): begin again without after"
            )
        }
    }

    // MARK: The query

    private static func cursor(_ text: String, _ name: String) throws(Problem) -> FeedPosition {
        guard let position = FeedPosition(text) else {
            let quoted = text.prefix(DeliveryLimits.quotedKeyCharacters)
            throw .query(
                "\(name): \"\(quoted)\" is no cursor of this call; take the next of a page, or the id of an event")
        }
        return position
    }

    private static func selection(_ types: String?, texts: String?) throws(Problem) -> FeedSelection {
        guard texts.map({ ["true", "false"].contains($0) }) ?? true else {
            throw .query("texts is true or false")
        }
        var selection = FeedSelection(hasTexts: texts == "true")
        if let types { selection.types = try Self.types(types) }
        return selection
    }

    private static func types(_ list: String) throws(Problem) -> Set<FeedEventType> {
        var types: Set<FeedEventType> = []
        for name in list.split(separator: ",", omittingEmptySubsequences: false) {
            guard let type = FeedEventType(selectable: String(name)) else {
                throw .query(unknownType(String(name)))
            }
            types.insert(type)
        }
        return types
    }

    /// Returns the sentence that refuses a type, and names the type that was probably meant.
    static func unknownType(_ name: String) -> String {
        let quoted = String(name.prefix(DeliveryLimits.quotedKeyCharacters))
        let known = FeedEventType.selectable.map(\.rawValue)
        let hint = quoted.nearest(in: known).map { "did you mean \($0)? " } ?? ""
        return "\"\(quoted)\" is no type of event; \(hint)Known are \(known.joined(separator: ", "))"
    }

    private static func limit(_ text: String?) throws(Problem) -> Int {
        guard let text else { return ServiceLimits.eventsPerPage }
        guard let limit = Int(text), (1...ServiceLimits.longestEventPage).contains(limit) else {
            throw .query("limit is a whole number from 1 to \(ServiceLimits.longestEventPage)")
        }
        return limit
    }

    // MARK: The stream

    private func stream(_ question: Question) async throws -> Response {
        guard let wakes = service.publisher.feeds.subscribe() else {
            throw Problem(
                .serviceUnavailable, "too-many-streams", "Too many streams",
                "this process has \(ServiceLimits.feedReaders) streams of events: read pages, or ask another process")
        }
        // The first page is read before the answer begins, so that a refused cursor has its status.
        let first = try await page(question)
        let body = ResponseBody { writer in
            let signal = WakeSignal()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await _ in wakes.cancelOnGracefulShutdown() { signal.wake() }
                    signal.finish()
                }
                try await write(first, question, signal, to: &writer)
                group.cancelAll()
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
    }

    /// Writes pages until the service stops, the key is not valid any more, or the events cannot be told.
    private func write(
        _ first: FeedPage, _ question: Question, _ signal: WakeSignal, to writer: inout any ResponseBodyWriter
    ) async throws {
        var (page, question, checked) = (first, question, service.clock.uptime)
        try await writer.write(ByteBuffer(string: "id: \(page.next)\nretry: 1000\n\n"))
        var news = FeedNews(signal: signal, clock: service.clock)
        while true {
            if !page.events.isEmpty { try await writer.write(Self.lines(page.events)) }
            if page.isLast {
                guard await news.next() else { return }
            }
            if service.clock.uptime - checked >= ServiceLimits.streamSign {
                checked = service.clock.uptime
                guard try await isValid(question.caller) else { return }
                // A cursor without an event, so that a reader without news does not fall behind what is kept.
                try await writer.write(ByteBuffer(string: "id: \(page.next)\n: still here\n\n"))
            }
            question.after = page.next
            do {
                page = try await self.page(question)
            } catch let problem as Problem {
                let text = String(decoding: try CarillonJSON.encode(problem.document), as: UTF8.self)
                return try await writer.write(ByteBuffer(string: "event: problem\ndata: \(text)\n\n"))
            }
        }
    }

    private static func lines(_ events: [FeedEvent]) -> ByteBuffer {
        var lines = ByteBuffer()
        for event in events {
            lines.writeString("id: \(event.id)\nevent: \(event.type.rawValue)\ndata: \(event.json)\n\n")
        }
        return lines
    }

    /// Returns whether the key still exists and is for the app.
    private func isValid(_ caller: CallerAuthentication.Backend) async throws -> Bool {
        guard let key = try await service.store.apiKey(caller.key.id), key.revoked == nil else { return false }
        return key.apps.contains(caller.app) && key.expires.map { $0 > service.clock.now } ?? true
    }
}

/// Tells a stream of events when to read the feed again.
private struct FeedNews {
    private let signal: WakeSignal
    private let clock: any CarillonClock
    private var wakes: AsyncStream<Void>.Iterator
    /// The uptime at which the stream has last read.
    private var read: Duration

    init(signal: WakeSignal, clock: any CarillonClock) {
        (self.signal, self.clock, wakes, read) = (signal, clock, signal.wakes.makeAsyncIterator(), clock.uptime)
    }

    /// Waits until there may be news, or for ``ServiceLimits/streamSign``.
    ///
    /// The events of ``ServiceLimits/streamPause`` are read together: under load, they come with many transactions a second.
    ///
    /// - Returns: whether to go on; `false` if the service stops.
    mutating func next() async -> Bool {
        let sign = clock.schedule(after: ServiceLimits.streamSign) { [signal] in signal.wake() }
        defer { sign.cancel() }
        guard await wakes.next() != nil else { return false }
        let rest = ServiceLimits.streamPause - (clock.uptime - read)
        if rest > .zero {
            let isOver = SharedValue(false)
            let timer = clock.schedule(after: rest) { [signal] in
                isOver.withLock { $0 = true }
                signal.wake()
            }
            defer { timer.cancel() }
            while !isOver.withLock({ $0 }) {
                guard await wakes.next() != nil else { return false }
            }
        }
        read = clock.uptime
        return true
    }
}
