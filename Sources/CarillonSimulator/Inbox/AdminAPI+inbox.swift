import CarillonCore
import CarillonPage
import NIOHTTP1

/// Answers requests of the inbox: its page, and the requests that it shows.
extension AdminAPI {
    /// Returns a file of the page at `/`; `nil` for another path.
    ///
    /// A browser that asks for `/` gets the page, and a program the description of the simulator.
    static func pageFile(for request: AdminRequest) -> PageFile? {
        guard request.method == .GET, request.path.count < 2 else { return nil }
        guard let name = request.path.first else {
            return request.headers[canonicalForm: "accept"].contains { $0.contains("text/html") }
                ? InboxFiles.file("index.html") : nil
        }
        return InboxFiles.file(name == "inbox" ? "index.html" : name)
    }

    func pushes(_ request: AdminRequest) throws(AdminProblem) -> AdminAnswer {
        switch (request.method, request.path) {
        case (.GET, ["pushes"]): return .json(page(try InboxQuery(request)))
        case (.GET, ["pushes", "stream"]): return .inboxNews
        case (.GET, let path) where path.count == 2:
            guard let number = Int(path[1]), let event = simulator.inbox.request(number) else {
                throw AdminProblem(
                    404, "the journal has no request \(path[1].prefix(40)); GET /pushes lists them, newest first")
            }
            return .json(PushReading(event).detail(simulator.inbox.events(about: event)))
        default: throw AdminProblem(405, "pushes are read with GET")
        }
    }

    private func page(_ query: InboxQuery) -> JSONValue {
        let page = simulator.inbox.page(query)
        return [
            "pushes": .array(page.events.map { PushReading($0).summary }),
            "older": page.older.map { .int(Int64($0)) } ?? .null,
            "newest": .int(Int64(simulator.inbox.newest)),
        ]
    }
}
