import CarillonCore
import Hummingbird

/// The routes that list an app's messages, and a message's recipients.
extension NotificationRoutes {
    func list(_ request: Request) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .read)
        let query = ListQuery(request)
        var filter = MessageFilter()
        filter.states = Set(try query.choices("state"))
        filter.since = try query.moment("accepted_since")
        filter.before = try query.moment("accepted_before")
        filter.idPart = try query.text("id", atMost: MessageID.byteLimit)
        let audiences: [AudienceKind] = try query.choices("audience")
        guard audiences.count < 2 else { throw Problem.query("audience must be one of them, not several") }
        filter.audience = audiences.first
        filter.user = try query.text("user", atMost: DeliveryLimits.userIDBytes)
        let mark = try query.text("after", atMost: MessageID.byteLimit)
        let id = mark.flatMap { try? MessageID($0) }
        let page =
            mark != nil && id == nil
            ? nil
            : try await messages.list(
                of: caller.app, filter, after: id, limit: try query.limit(), at: service.clock.now)
        guard let page else { throw ListQuery.unknownMark }
        return try JSONBody.answer(page)
    }

    func recipients(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .read)
        let message = MessageReference(try context.messageID("id"), of: caller.app.number)
        let query = ListQuery(request)
        let groups: [RecipientGroup] = try query.choices("group")
        guard groups.count < 2 else { throw Problem.query("group must be one group, not several") }
        let page = try await messages.recipients(
            of: message, in: groups.first, after: try query.text("after", atMost: ServiceLimits.markBytes),
            limit: try query.limit(), at: service.clock.now)
        guard let page else { throw Problem.noSuchMessage(message.id.rawValue) }
        return try JSONBody.answer(page)
    }
}

/// Reads the parameters of a list from a request's query.
struct ListQuery {
    private let request: Request

    init(_ request: Request) { self.request = request }

    static let unknownMark = Problem.query(
        "after must be the next of the previous page, whose message may have gone: begin with the first page")

    private func value(_ name: String) -> String? { request.uri.queryParameters.get(name) }

    /// Returns the values of a parameter that names one or several, with commas between them; none without the parameter.
    ///
    /// - Throws: ``Problem`` 400 that names the first unknown value and lists the known ones.
    func choices<Choice: RawRepresentable<String> & CaseIterable>(_ name: String) throws(Problem) -> [Choice] {
        guard let text = value(name) else { return [] }
        var found: [Choice] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let choice = Choice(rawValue: String(part)) else {
                let known = Choice.allCases.map(\.rawValue)
                let quoted = String(part.prefix(DeliveryLimits.quotedKeyCharacters))
                let hint = quoted.nearest(in: known).map { "; did you mean \($0)" } ?? ""
                throw .query(
                    #"\#(name) has the unknown value "\#(quoted)"\#(hint); known are \#(known.joined(separator: ", "))"#
                )
            }
            found.append(choice)
        }
        return found
    }

    /// Returns a parameter that is an RFC 3339 time; `nil` without the parameter.
    func moment(_ name: String) throws(Problem) -> Timestamp? {
        guard let text = value(name) else { return nil }
        guard let moment = Timestamp(rfc3339: text) else {
            throw .query("\(name) must be a time such as 2027-01-31T12:00:00Z, with a + of its zone written as %2B")
        }
        return moment
    }

    /// Returns a parameter's text; `nil` without the parameter.
    func text(_ name: String, atMost bytes: Int) throws(Problem) -> String? {
        guard let text = value(name) else { return nil }
        guard (1...bytes).contains(text.utf8.count), !text.utf8.contains(0) else {
            throw .query("\(name) must have 1 to \(bytes) bytes, and none of them 0")
        }
        return text
    }

    /// Returns the mark of a page that is a number; `nil` without the parameter.
    func number(_ name: String) throws(Problem) -> Int64? {
        guard let text = try text(name, atMost: ServiceLimits.markBytes) else { return nil }
        guard let number = Int64(text), number > 0, "\(number)" == text else {
            throw .query("\(name) must be the next of the previous page")
        }
        return number
    }

    /// Returns the parameter `limit`, or its default.
    func limit() throws(Problem) -> Int {
        guard let text = value("limit") else { return ServiceLimits.entriesPerPage }
        guard let limit = Int(text), (1...ServiceLimits.mostEntriesPerPage).contains(limit) else {
            throw .query("limit must be a number from 1 to \(ServiceLimits.mostEntriesPerPage)")
        }
        return limit
    }
}
