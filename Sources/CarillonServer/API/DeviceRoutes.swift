import CarillonCore
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// The routes of `/v1/devices`: calls of installations about themselves, and calls of backends about their app's
/// installations.
struct DeviceRoutes {
    let service: ServiceContext
    let devices: DeviceCalls
    let apps: AppCalls

    func add(to router: Router<ServiceRequestContext>) {
        router.post("/v1/devices") { request, context in try await register(request, context) }
        router.get("/v1/devices/{id}") { request, context in try await show(request, context) }
        router.patch("/v1/devices/{id}") { request, context in try await update(request, context) }
        router.delete("/v1/devices/{id}") { request, context in try await delete(request, context) }
        router.post("/v1/devices/{id}/token") { request, context in try await claimToken(request, context) }
        router.get("/v1/devices/{id}/sync") { request, context in
            let device = try await service.callers.installation(request, is: try context.parameters.require("id"))
            return try JSONBody.answer(try await service.sync(device.id))
        }
        router.delete("/v1/devices/{id}/user") { request, context in try await signOut(request, context) }
    }

    // MARK: Calls of installations

    private func register(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let registration = try await JSONBody.decode(
            Registration.self, request, limit: ServiceLimits.installationBodyBytes)
        try RegistrationRule.check(registration)
        let sequence = try Self.sequence(request)
        guard let app = try await apps.app(registration.topic) else { throw Problem.noSuchApp }
        let address = ClientAddress.of(
            request, peer: context.peer, proxies: service.proxies.withLock { $0 })
        if address == nil, context.peer == .socket { tellOfUnnamedClients() }
        try await limit(registration, to: app, address, request, peer: context.peer)
        let user = try await service.signedInUser(registration.signInToken, of: app.reference)
        if user == nil, app.requiresSignIn, try await !isKnownAndBound(registration) {
            throw Problem(
                .forbidden, "sign-in-required", "The app takes signed-in users only",
                "this app takes installations of signed-in users only; send a sign_in_token")
        }
        return try await answer(
            try await devices.register(
                NewDevice(
                    registration, user: user, app: app.reference, nonce: service.nonce(), sequence: sequence),
                at: service.clock.now))
    }

    /// Counts a request to register an installation, and refuses it if too many new installations register.
    ///
    /// A request of an installation that is already registered counts toward the installation's own limit instead.
    ///
    /// - Throws: ``Problem`` 429 if the limit is reached.
    private func limit(
        _ registration: Registration, to app: AppRecord, _ address: IPAddress?, _ request: Request, peer: Peer?
    ) async throws {
        let known = try await devices.device(registration.installation)
        if let known, SecretHash.isEqual(known.secretHash, SecretHash.of(registration.secret)) {
            return try service.callers.admit(
                .installation(id: registration.installation, secret: registration.secret), request)
        }
        let refusal = service.registrations.withLock {
            $0.admit(from: address, to: app.reference.number, at: service.clock.uptime)
        }
        guard let refusal else { return }
        if let count = service.refusedRegistrations.count(at: service.clock.uptime) {
            let proxies = service.proxies.withLock { $0 }
            let isUnnamedProxy = ClientAddress.isForwarded(request) && peer.map { !proxies.trusts($0) } ?? false
            service.logger.warning(
                "new installations are refused, because too many come",
                metadata: [
                    "refused": "\(count)", "app": "\(app.topic)", "from": "\(address.map(\.description) ?? "?")",
                    "advice": isUnnamedProxy
                        ? "the address is a proxy's, which is not named with --trusted-proxy"
                        : "see --registrations-per-address and --registrations-per-app",
                ])
        }
        throw Problem.tooManyRegistrations(refusal)
    }

    /// Writes one line in the life of the process: the proxy at the Unix socket does not say whom it speaks for.
    private func tellOfUnnamedClients() {
        let isTold = service.hasToldOfUnnamedClients.withLock { isTold in
            defer { isTold = true }
            return isTold
        }
        guard !isTold else { return }
        service.logger.warning(
            "the proxy at the socket names no address, so all its clients share the limits of one",
            metadata: ["advice": "let it send X-Forwarded-For; nginx: proxy_set_header X-Forwarded-For $remote_addr"])
    }

    private func isKnownAndBound(_ registration: Registration) async throws -> Bool {
        let known = try await devices.device(registration.installation)
        guard let known, SecretHash.isEqual(known.secretHash, SecretHash.of(registration.secret)) else { return false }
        return known.signedInUser != nil
    }

    private func update(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let device = try await service.callers.installation(request, is: try context.parameters.require("id"))
        let change = try await JSONBody.decode(DeviceChange.self, request, limit: ServiceLimits.installationBodyBytes)
        // Checks the change before it is stored: its validity does not depend on the present facts.
        let changed = try JSONBody.decoding { try DeviceFacts(permission: .notDetermined).applying(change.facts) }
        try RegistrationRule.check(changed)
        try RegistrationRule.check(change.liveActivities ?? [])
        try RegistrationRule.check(change.widgets ?? [])
        let update = DeviceUpdate(
            token: change.token, environment: change.environment,
            user: try await service.signedInUser(change.signInToken, of: device.app), facts: change.facts,
            liveActivities: change.liveActivities, widgets: change.widgets, nonce: service.nonce(),
            sequence: try Self.sequence(request))
        return try await answer(try await devices.change(device.id, update, at: service.clock.now))
    }

    /// Answers `POST /v1/devices/{id}/token`: moves a device token from another installation to the calling one.
    ///
    /// The request must contain the nonce that the service has pushed to that token.
    private func claimToken(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        struct Body: Decodable { var nonce: String }
        let device = try await service.callers.installation(request, is: try context.parameters.require("id"))
        let body = try await JSONBody.decode(Body.self, request, limit: ServiceLimits.installationBodyBytes)
        let outcome = try await devices.claimToken(for: device.id, nonce: body.nonce, at: service.clock.now)
        guard case .registered = outcome else {
            throw Problem.conflict(
                "nonce-refused", "this is not the nonce that was last pushed to the claimed token; register again",
                pointer: "/nonce")
        }
        return try await answer(outcome)
    }

    private func answer(_ outcome: RegistrationOutcome) async throws -> Response {
        switch outcome {
        case .wrongSecret:
            throw Problem(
                .forbidden, "wrong-secret", "The installation has another secret",
                "an installation with this id is registered with another secret; make up a new id and secret")
        case .otherApp:
            throw Problem.conflict(
                "other-app", "an installation belongs to one app for ever; make up a new id and secret for another",
                pointer: "/topic")
        case .unknown: throw Problem.noSuchDevice()
        case .registered(let device): return try await answer(device, sequence: nil)
        case .outdated(let device): return try await answer(device, sequence: device.sequence)
        }
    }

    private func answer(_ device: DeviceRecord, sequence: Int64?) async throws -> Response {
        var sync = try await service.sync(device.id)
        sync.sequence = sequence
        return try JSONBody.answer(
            RegistrationAnswer(
                device: device.id, user: device.signedInUser, awaitsToken: device.claimedToken == nil ? nil : true,
                sync: sync))
    }

    /// Returns the number that an installation has given to its request; `nil` if it counts none.
    private static func sequence(_ request: Request) throws(Problem) -> Int64? {
        guard let name = HTTPField.Name(SyncAnswer.sequenceHeader), let text = request.headers[name] else { return nil }
        guard let number = Int64(text), (0...SyncAnswer.greatestSequence).contains(number) else {
            throw Problem(
                .unprocessableContent, "invalid-value", "A value cannot be accepted",
                "the header \(SyncAnswer.sequenceHeader) must be a whole number from 0 to \(SyncAnswer.greatestSequence)"
            )
        }
        return number
    }

    // MARK: Calls of installations and backends

    /// Returns the device in the path, if the caller is that device or a backend of its app.
    ///
    /// - Throws: ``Problem`` 404 if the device does not exist or belongs to another app.
    private func device(
        _ request: Request, _ context: ServiceRequestContext, may scope: APIScope
    ) async throws -> DeviceRecord {
        let id = try context.parameters.require("id")
        guard CallerAuthentication.isBackend(request) else {
            return try await service.callers.installation(request, is: id)
        }
        let key = try await service.callers.key(request, may: scope)
        guard let device = try await devices.device(id), key.apps.contains(device.app) else {
            throw Problem.noSuchDevice()
        }
        return device
    }

    private func show(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        try JSONBody.answer(
            DeviceAnswer(
                try await device(request, context, may: .read), isForItself: !CallerAuthentication.isBackend(request)))
    }

    private func delete(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let device = try await device(request, context, may: .users)
        guard try await devices.delete(device.id, at: service.clock.now) else { throw Problem.noSuchDevice() }
        return Response(status: .noContent)
    }

    private func signOut(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let device = try await device(request, context, may: .users)
        let caller: SignOutCaller = CallerAuthentication.isBackend(request) ? .service : .app
        let sequence = caller == .app ? try Self.sequence(request) : nil
        let newer = try await devices.signOut(device.id, by: caller, sequence: sequence, at: service.clock.now)
        var sync = try await service.sync(device.id)
        sync.sequence = newer
        return try JSONBody.answer(sync)
    }
}
