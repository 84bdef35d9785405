import CarillonCore
import Hummingbird

/// The routes of `/v1/audiences`, which answer how many devices a message would reach.
struct AudienceRoutes {
    let service: ServiceContext
    let messages: MessageCalls

    /// The answer of `POST /v1/audiences/count`.
    struct CountAnswer: Encodable {
        /// The number of devices that would get a message sent now.
        var devices: Int
    }

    func add(to router: Router<ServiceRequestContext>) {
        router.post("/v1/audiences/count") { request, _ in try await count(request) }
    }

    private func count(_ request: Request) async throws -> Response {
        let key = try await service.callers.key(request, may: .send)
        var body = try await JSONBody.object(request)
        let audience = try body.takeAudience()
        let app = try body.takeApp(of: key, orNamed: CallerAuthentication.topic(request))
        try body.finish()
        let devices = try await messages.count(audience, of: app, at: service.clock.now)
        return try JSONBody.answer(CountAnswer(devices: devices))
    }
}
