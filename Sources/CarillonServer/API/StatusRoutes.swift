import CarillonCore
import HTTPTypes
import Hummingbird

/// The routes for operators: health, metrics and the OpenAPI document.
struct StatusRoutes {
    let service: ServiceContext
    let upkeep: UpkeepCalls
    let sender: (any NotificationSender)?

    /// The answer of `GET /healthz`.
    struct Health: Encodable {
        struct Alarm: Encodable {
            var app: String
            var reason: String
            var since: Timestamp
            var advice: String
        }

        struct Warning: Encodable {
            var app: String
            /// The time at which the certificate expires; `nil` if the warning is about a new credential that APNs refuses.
            var ends: Timestamp?
            var advice: String
        }

        /// The status: `ok`, `degraded` or `down`.
        ///
        /// With `degraded`, the service accepts messages, but the sending of an app is stopped, or some deliveries cannot be
        /// decoded. With `down` (HTTP 503), the store does not answer, or nothing can be written to it.
        var status: String
        var roles: [String]
        var alarms: [Alarm]
        /// The certificates that expire within 30 days, and the apps whose new credential APNs refuses.
        ///
        /// The service goes on with the old credential of such an app. Warnings do not change the status.
        var warnings: [Warning]
        /// The number of deliveries that are not sent because the service cannot decode them.
        ///
        /// `carillon db check` lists these deliveries and the remedies.
        var setAside = 0

        enum CodingKeys: String, CodingKey {
            case status, roles, alarms, warnings
            case setAside = "set_aside"
        }
    }

    func add(to router: Router<ServiceRequestContext>) {
        router.get("/livez") { _, _ in try JSONBody.answer(["status": "live"]) }
        router.get("/readyz") { _, _ in try await readiness() }
        router.get("/healthz") { _, _ in try await health() }
        router.get("/metrics") { _, _ in await metrics() }
        router.get("/openapi.json") { _, _ in try JSONBody.answer(try OpenAPIDocument.json()) }
    }

    /// The answer of `GET /readyz`.
    struct Readiness: Encodable {
        /// The status: `ready`, or `waiting` (HTTP 503).
        var status: String
        /// The names of the parts that the process waits for; `database` is the only possible name.
        var waitsFor: [String]

        enum CodingKeys: String, CodingKey {
            case status
            case waitsFor = "waits_for"
        }
    }

    private func readiness() async throws -> Response {
        guard await storeHealth() != nil else {
            return try JSONBody.answer(
                Readiness(status: "waiting", waitsFor: ["database"]), status: .serviceUnavailable)
        }
        return try JSONBody.answer(Readiness(status: "ready", waitsFor: []))
    }

    /// Returns the store's answer; `nil` if the store does not answer, or if its writer stands still.
    private func storeHealth() async -> StoreHealth? {
        if let wait = upkeep.writerWait, wait > ServiceLimits.writerPatience { return nil }
        return await service.storeProbe.health { try await upkeep.health() }
    }

    private func metrics() async -> Response {
        let gauges = service.metrics.gauges
        gauges.update(service, waitingCalls: upkeep.waitingCalls)
        if let sender { service.metrics.client.update(await sender.clientTally()) }
        let reading = await service.queues.reading {
            let before = service.metrics.topics
            let reading = try await upkeep.reading(at: service.clock.now)
            // An app that was counted before the reading, and that the reading lacks, was removed.
            service.metrics.end(before.subtracting(reading.topics))
            return reading
        }
        gauges.update(reading, of: service)
        return Response(
            status: .ok, headers: [.contentType: MetricText.contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(string: service.metrics.registry.text)))
    }

    private static let refusedCredential =
        "APNs refuses the app's new credential, and the old one is used: put the right one in its place before a restart"

    private func health() async throws -> Response {
        var health = Health(
            status: "ok", roles: service.configuration.roles.map(\.rawValue).sorted(),
            alarms: service.health.alarms.map {
                Health.Alarm(
                    app: $0.app.description, reason: $0.trouble.reason, since: $0.since, advice: $0.trouble.advice)
            },
            warnings: service.health.credentialEnds.compactMap { credential in
                credential.advice.map {
                    Health.Warning(app: credential.app.description, ends: credential.end, advice: $0)
                }
            }
                + service.health.refusedCredentials.map {
                    Health.Warning(app: $0.description, advice: Self.refusedCredential)
                })
        if !health.alarms.isEmpty { health.status = "degraded" }
        guard let store = await storeHealth() else {
            health.status = "down"
            return try JSONBody.answer(health, status: .serviceUnavailable)
        }
        health.setAside = store.setAside
        if store.setAside > 0 { health.status = "degraded" }
        return try JSONBody.answer(health)
    }
}
