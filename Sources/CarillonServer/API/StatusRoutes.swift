import CarillonCore
import HTTPTypes
import Hummingbird
import Logging

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
            /// The app; `nil` if the warning is about a listener.
            var app: String?
            /// The listener whose certificate expires soon, by the name of its setting: `port` or `operator-port`.
            var listener: String?
            /// The time at which the certificate expires; `nil` if the warning is about a new credential that APNs refuses.
            var ends: Timestamp?
            var advice: String
        }

        /// The status: `ok`, `degraded` or `down`.
        ///
        /// With `degraded`, the service accepts messages, but the sending of an app or of this process is stopped, another sender
        /// sends elsewhere, or some deliveries cannot be decoded. With `down` (HTTP 503), the store does not answer, or cannot
        /// be written.
        var status: String
        /// The reason of the status `down`.
        var reason: String?
        var roles: [String]
        var alarms: [Alarm]
        /// The certificates of apps and listeners that expire within 30 days, and the apps whose new credential APNs refuses.
        ///
        /// The service goes on with the old credential of such an app. Warnings do not change the status.
        var warnings: [Warning]
        /// The number of deliveries that are not sent because the service cannot decode them.
        ///
        /// `carillon db check` lists these deliveries and the remedies.
        var setAside = 0

        enum CodingKeys: String, CodingKey {
            case status, reason, roles, alarms, warnings
            case setAside = "set_aside"
        }
    }

    func add(to router: Router<ServiceRequestContext>, isSecure: Bool) {
        router.get("/livez") { _, _ in try JSONBody.answer(["status": "live"]) }
        router.get("/readyz") { _, _ in try await readiness() }
        router.get("/openapi.json") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: try OpenAPIDocument.encoded.get()))
        }
        // These two tell about apps, and need no key.
        router.group().add(middleware: HostGuard(service: service, isSecure: isSecure))
            .get("/healthz") { _, _ in try await health() }
            .get("/metrics") { _, _ in await metrics() }
    }

    /// The answer of `GET /readyz`.
    struct Readiness: Encodable {
        /// The status: `ready`, or `waiting` (HTTP 503).
        var status: String
        /// The names of the parts that the process waits for; `database` is the only possible name.
        var waitsFor: [String]
        /// The reason for which it waits.
        var reason: String?

        enum CodingKeys: String, CodingKey {
            case status, reason
            case waitsFor = "waits_for"
        }
    }

    private func readiness() async throws -> Response {
        if let reason = await standing().reason {
            return try JSONBody.answer(
                Readiness(status: "waiting", waitsFor: ["database"], reason: reason), status: .serviceUnavailable)
        }
        return try JSONBody.answer(Readiness(status: "ready", waitsFor: []))
    }

    /// Checks whether the store can be read and written, and logs the reason if it cannot.
    private func standing() async -> StoreStanding {
        let known = await service.storeProbe.health { await look() }
        let standing = known ?? .failed("the database has not answered within a second")
        if let reason = standing.reason {
            service.repeated.log(.error, "the database cannot be written", metadata: ["reason": "\(reason)"])
        }
        return standing
    }

    private func look() async -> StoreStanding {
        let wait = upkeep.writerWait
        if let wait, wait > ServiceLimits.writerPatience {
            let seconds = wait.components.seconds
            return .failed("nothing has been written to the database for \(seconds) s, although calls wait")
        }
        do {
            let health = try await upkeep.health()
            let uptime = service.clock.uptime
            let isProven = service.writeProof.withLock { $0.map { uptime - $0 < ServiceLimits.writeProofAge } ?? false }
            // A proof would wait for the transaction that is under way, and the end of that transaction is proof enough.
            if !isProven, wait == nil {
                service.writeProof.withLock { $0 = nil }
                try await upkeep.proveWritable()
                service.writeProof.withLock { $0 = uptime }
            }
            return .good(health)
        } catch {
            return .failed((error as? ServiceError)?.description ?? "\(type(of: error))")
        }
    }

    private func metrics() async -> Response {
        let gauges = service.metrics.gauges
        gauges.update(service, waitingCalls: upkeep.waitingCalls)
        if let sender { service.metrics.client.update(await sender.clientTally()) }
        async let standing = standing()
        let reading = await service.queues.reading {
            let before = service.metrics.topics
            let reading = try await upkeep.reading(at: service.clock.now)
            // An app that was counted before the reading, and that the reading lacks, was removed.
            service.metrics.end(before.subtracting(reading.topics))
            return reading
        }
        gauges.update(reading, isReady: await standing.reason == nil, of: service)
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
            warnings: credentialWarnings() + service.health.senderTroubles.map { Health.Warning(advice: $0) }
                + listenerWarnings())
        if !health.alarms.isEmpty || !service.health.senderTroubles.isEmpty { health.status = "degraded" }
        switch await standing() {
        case .failed(let reason):
            (health.status, health.reason) = ("down", reason)
            return try JSONBody.answer(health, status: .serviceUnavailable)
        case .good(let store):
            health.setAside = store.setAside
            if store.setAside > 0 { health.status = "degraded" }
            return try JSONBody.answer(health)
        }
    }

    private func credentialWarnings() -> [Health.Warning] {
        service.health.credentialEnds.compactMap { credential in
            credential.advice.map {
                Health.Warning(app: credential.app.description, ends: credential.end, advice: $0)
            }
        }
            + service.health.refusedCredentials.map {
                Health.Warning(app: $0.description, advice: Self.refusedCredential)
            }
    }

    private func listenerWarnings() -> [Health.Warning] {
        service.configuration.listenerCertificates.compactMap { listener, certificate in
            guard certificate.endsSoon(at: service.clock.now) else { return nil }
            return Health.Warning(
                listener: listener, ends: certificate.end,
                advice:
                    "the certificate in \(certificate.files.certificate) ends on \(certificate.end): renew the file")
        }
    }
}
