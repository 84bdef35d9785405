import CarillonCore
import Foundation
import HTTPTypes
import Hummingbird

/// `/v1/devices`: what installations call about themselves.
struct DeviceRoutes {
    let service: ServiceContext

    func add(to router: Router<BasicRequestContext>) {
        router.post("/v1/devices") { request, _ in try await register(request) }
        router.patch("/v1/devices/{id}") { request, context in try await update(request, context) }
        router.get("/v1/devices/{id}/sync") { request, context in
            let device = try await service.callers.installation(request, is: try context.parameters.require("id"))
            return try JSONBody.answer(try await service.sync(device.id))
        }
        router.delete("/v1/devices/{id}/user") { request, context in
            let device = try await service.callers.installation(request, is: try context.parameters.require("id"))
            service.changed(try await service.store.signOut(device.id, at: service.clock.now))
            return try JSONBody.answer(try await service.sync(device.id))
        }
    }

    private func register(_ request: Request) async throws -> Response {
        let registration = try await JSONBody.decode(Registration.self, request)
        try RegistrationRule.check(registration, topics: service.configuration.topics)
        let user = try signedIn(registration.signInToken, topic: registration.topic)
        let now = service.clock.now
        return try await answer(
            try await service.store.register(DeviceRecord(registration, user: user, at: now), at: now))
    }

    private func update(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        var device = try await service.callers.installation(request, is: try context.parameters.require("id"))
        let change = try await JSONBody.decode(DeviceChange.self, request)
        try JSONBody.decoding { try device.apply(change) }
        try RegistrationRule.check(device.facts)
        device.user = try signedIn(change.signInToken, topic: device.topic)
        let now = service.clock.now
        // Only a token that is named is registered again: a 410 about it stands otherwise.
        return try await answer(
            change.token == nil
                ? try await service.store.update(device, at: now) : try await service.store.register(device, at: now))
    }

    private func signedIn(_ token: String?, topic: String) throws -> String? {
        guard let token else { return nil }
        do {
            return try SignInToken.user(
                of: token, topic: topic, secret: service.configuration.signInSecret, at: service.clock.now)
        } catch {
            throw Problem(
                .unprocessableContent, "sign-in-token-refused", "The sign-in token is refused",
                "the sign-in token \(error.description)", pointer: "/sign_in_token")
        }
    }

    private func answer(_ outcome: RegistrationOutcome) async throws -> Response {
        switch outcome {
        case .wrongSecret:
            throw Problem.forbidden(
                "an installation with this id is registered with another secret; make up a new id and secret")
        case .registered(let device, let events):
            service.changed(events)
            let answer = RegistrationAnswer(
                device: device.id, user: device.user, sync: try await service.sync(device.id))
            return try JSONBody.answer(answer)
        }
    }
}
