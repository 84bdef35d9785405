import CarillonCore
import HTTPTypes
import Hummingbird

/// The route `/v1/widgets`, by which backends reload widgets and controls.
struct WidgetRoutes {
    let service: ServiceContext
    let widgets: WidgetCalls

    func add(to router: Router<ServiceRequestContext>) {
        router.post("/v1/widgets") { request, _ in try await reload(request) }
    }

    private func reload(_ request: Request) async throws -> Response {
        let key = try await service.callers.key(request, may: .send)
        let now = service.clock.now
        var body = try await JSONBody.object(request)
        let fingerprint = JSONValue.object(body.rest).fingerprint
        var new = try Self.reload(&body, by: key, orNamed: CallerAuthentication.topic(request), at: now)
        (new.idempotencyKey, new.fingerprint) = (try NotificationRoutes.idempotencyKey(request, key), fingerprint)
        try await service.requireRoom(in: new.app)
        do {
            return try JSONBody.answer(try await widgets.reload(new, for: service, at: now), status: .accepted)
        } catch is ReusedKey {
            throw Problem.conflict(
                "idempotency-key-reused", "this Idempotency-Key came before with another request; use a new key")
        }
    }

    /// Reads and checks a body.
    private static func reload(
        _ body: inout ObjectReader, by key: APIKeyRecord, orNamed topic: String?, at now: Timestamp
    ) throws(Problem) -> NewWidgetReload {
        let app = try body.takeApp(of: key, orNamed: topic)
        let (audience, variables) = try body.takeRecipients()
        guard variables == nil else {
            throw .invalid("/to/users", "must be an array of ids: a reload has no texts with variables")
        }
        let controls = try body.takeControls()
        let until = try body.takeMoment("until") ?? now + DeliveryLimits.widgetReloadLifetime
        guard until > now else { throw .invalid("/until", "has passed: it is \(now) now; nothing was sent") }
        guard until <= now + DeliveryLimits.longestWidgetReload else {
            let days = DeliveryLimits.longestWidgetReload.components.seconds / (24 * 3600)
            throw .invalid("/until", "is more than \(days) days ahead: it is \(now) now")
        }
        try body.finish()
        return NewWidgetReload(app: app, audience: audience, controls: controls, until: until)
    }
}

extension ObjectReader {
    /// Takes the kinds of controls to reload out of the object; `nil` if it has none.
    mutating func takeControls() throws(Problem) -> [String]? {
        let controls = try takeStrings("controls", limit: WidgetToken.limit)
        for (index, kind) in (controls ?? []).enumerated() {
            guard (1...WidgetToken.kindByteLimit).contains(kind.utf8.count) else {
                throw .invalid("/controls/\(index)", "has 1 to \(WidgetToken.kindByteLimit) bytes")
            }
        }
        return controls
    }
}

extension WidgetCalls {
    /// Reloads widgets or controls, and counts the pushes toward the app's backlog.
    func reload(
        _ new: NewWidgetReload, for service: ServiceContext, at now: Timestamp
    ) async throws -> WidgetReloadReport {
        let report = try await reload(new, at: now)
        service.backlog.withLock { $0.accepted(devices: report.tokens, for: new.app.number) }
        return report
    }
}
