import CarillonCore
import Hummingbird

/// The routes of `/v1/figures`: what has happened to messages and devices, counted by day.
struct FigureRoutes {
    let service: ServiceContext
    let figures: FigureCalls

    func add(to router: Router<ServiceRequestContext>) {
        router.get("/v1/figures") { request, _ in try await report(request) }
        router.get("/v1/figures/campaigns") { request, _ in try await campaigns(request) }
    }

    private func report(_ request: Request) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .read)
        let query = ListQuery(request)
        let campaign = try query.campaign("campaign")
        let message = try query.text("message", atMost: MessageID.byteLimit)
        guard campaign == nil || message == nil else {
            throw Problem.query("message and campaign exclude each other: a message has figures of its own")
        }
        let report = try await figures.report(
            of: caller.app.number, message: try message.map(Self.messageID), campaign: campaign,
            on: try query.days(at: service.clock.now))
        guard let report else { throw Problem.noSuchMessage(message ?? "") }
        return try JSONBody.answer(report)
    }

    private static func messageID(_ text: String) throws(Problem) -> MessageID {
        do {
            return try MessageID(text)
        } catch {
            throw .query("message: \(error.description)")
        }
    }

    private func campaigns(_ request: Request) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .read)
        let query = ListQuery(request)
        let now = service.clock.now
        let page = try await figures.campaigns(
            of: caller.app.number, on: try query.days(at: now), after: try query.campaign("after"),
            limit: try query.limit(), at: now)
        return try JSONBody.answer(page)
    }
}

extension ListQuery {
    /// Returns a parameter that is the name of a campaign; `nil` without the parameter.
    fileprivate func campaign(_ name: String) throws(Problem) -> String? {
        guard let text = try text(name, atMost: CampaignName.byteLimit) else { return nil }
        guard CampaignName.isValid(text) else { throw .query("\(name) \(CampaignName.rule)") }
        return text
    }

    /// Returns the days from `from` to `to`.
    ///
    /// Without `to`, they end today; without `from`, they are the last ``ServiceLimits/figureDays``.
    ///
    /// - Throws: ``Problem`` 400 for a text that is no day, and for days in the wrong order or too many of them.
    fileprivate func days(at now: Timestamp) throws(Problem) -> ClosedRange<FigureDay> {
        let last = try day("to") ?? FigureDay(now)
        let first = try day("from") ?? last.advanced(by: 1 - ServiceLimits.figureDays)
        guard first <= last else { throw .query("from must not be later than to: \(first) is later than \(last)") }
        guard last < first.advanced(by: StoreLimits.figureDaysKept) else {
            throw .query(
                "from and to must be at most \(StoreLimits.figureDaysKept) days apart; figures are kept so long")
        }
        return first...last
    }

    private func day(_ name: String) throws(Problem) -> FigureDay? {
        guard let text = try text(name, atMost: DeliveryLimits.userIDBytes) else { return nil }
        guard let day = FigureDay(text) else { throw .query("\(name) must be a day in UTC such as 2027-01-31") }
        return day
    }
}
