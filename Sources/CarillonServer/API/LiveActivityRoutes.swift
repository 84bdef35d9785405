import CarillonCore
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// The routes of `/v1/live-activities`: the calls of backends about Live Activities.
struct LiveActivityRoutes {
    let service: ServiceContext
    let activities: LiveActivityCalls

    func add(to router: Router<ServiceRequestContext>) {
        router.post("/v1/live-activities") { request, context in try await start(request, context) }
        router.get("/v1/live-activities/{id}") { request, context in try await show(request, context) }
        router.get("/v1/live-activities/{id}/timeline") { request, context in try await timeline(request, context) }
        router.patch("/v1/live-activities/{id}") { request, context in
            try await change(request, context, isEnd: false) { try await JSONBody.object(request) }
        }
        router.delete("/v1/live-activities/{id}") { request, context in
            try await change(request, context, isEnd: true) { nil }
        }
        router.post("/v1/live-activities/{id}/end") { request, context in
            try await change(request, context, isEnd: true) { try await JSONBody.objectIfAny(request) }
        }
    }

    private func start(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let key = try await service.callers.key(request, may: .send)
        let now = service.clock.now
        var wanted = LiveActivityRequest(
            try await JSONBody.object(request), try NotificationRoutes.idempotencyKey(request, key), at: now)
        var new = try wanted.start(by: key, orNamed: CallerAuthentication.topic(request))
        new.channelFrom = service.configuration.activityPhonesWithTokens
        try await service.requireRoom(in: new.app)
        let report = try Self.report(try await activities.start(new, at: now), new.id)
        accepted(report, .start, in: new.app)
        return try JSONBody.answer(report, status: .accepted)
    }

    private func change(
        _ request: Request, _ context: ServiceRequestContext, isEnd: Bool, _ body: () async throws -> ObjectReader?
    ) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .send)
        let id = try Self.id(context)
        let now = service.clock.now
        var wanted = LiveActivityRequest(
            try await body() ?? ObjectReader(.object([:]), pointer: ""),
            try NotificationRoutes.idempotencyKey(request, caller.key), at: now)
        let change = try isEnd ? wanted.end(id, of: caller.app) : wanted.update(id, of: caller.app)
        if !isEnd { try await service.requireRoom(in: caller.app) }
        let report = try Self.report(try await activities.change(change, by: caller.actor, at: now), id)
        accepted(report, isEnd ? .end : .update, in: caller.app)
        if isEnd {
            context.logger.notice(
                "a Live Activity was ended", metadata: ["id": "\(id)", "app": "\(caller.app.topic)"])
        }
        return try JSONBody.answer(report, status: .accepted)
    }

    private func show(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .read)
        let id = try Self.id(context)
        guard let report = try await activities.report(id, of: caller.app, at: service.clock.now) else {
            throw Problem.noSuchLiveActivity(id.rawValue)
        }
        return try JSONBody.answer(report)
    }

    private func timeline(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .read)
        let id = try Self.id(context)
        let query = ListQuery(request)
        let mark = try query.text("after", atMost: ServiceLimits.markBytes)
        guard let after = Int64(mark ?? "0") else { throw ListQuery.unknownMark }
        let found = try await activities.timeline(
            id, of: caller.app, after: after, limit: try query.limit(), at: service.clock.now)
        guard let found else { throw Problem.noSuchLiveActivity(id.rawValue) }
        return try JSONBody.answer(found)
    }

    /// Counts a change, and its pushes toward the app's backlog.
    private func accepted(_ report: LiveActivityReport, _ change: LiveActivityEvent, in app: AppReference) {
        service.metrics.app(app.topic).count(change)
        let queued = report.phones[ActivityPhoneState.queued.rawValue] ?? 0
        service.backlog.withLock { $0.accepted(devices: queued, for: app.number) }
    }

    private static func id(_ context: ServiceRequestContext) throws -> MessageID {
        let text = try context.parameters.require("id")
        guard let id = try? MessageID(text) else { throw Problem.noSuchLiveActivity(text) }
        return id
    }

    private static func report(_ acceptance: ActivityAcceptance, _ id: MessageID) throws(Problem) -> LiveActivityReport
    {
        switch acceptance {
        case .accepted(let report): report
        case .refused(let refusal): throw problem(refusal, id)
        }
    }

    private static func problem(_ refusal: ActivityAcceptance.Refusal, _ id: MessageID) -> Problem {
        switch refusal {
        case .unknown: .noSuchLiveActivity(id.rawValue)
        case .idempotencyKeyReused:
            .conflict(
                "idempotency-key-reused",
                "this Idempotency-Key came before with another request; use a new key for another change")
        case .exists:
            .conflict(
                "live-activity-exists",
                "a Live Activity \(id) was started with another body: update it with PATCH, or use another id",
                pointer: "/id")
        case .ended:
            .conflict("live-activity-ended", "the Live Activity \(id) has ended: start another one, under another id")
        case .over:
            .conflict(
                "live-activity-over",
                "iOS has removed the Live Activity \(id), \(StoreLimits.activityLifetime.components.seconds / 3600) hours after its start: start another one, under another id"
            )
        case .tooLarge(let why):
            .invalid(
                "/content-state",
                "\(why), with the attributes that phones which start it later need: shorten the state or the alert")
        }
    }
}
