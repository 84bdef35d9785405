import CarillonCore
import HTTPTypes
import Hummingbird
import Logging

/// The routes of `/v1/app`, by which a backend reads and changes the settings of its app.
struct AppRoutes {
    let service: ServiceContext
    let apps: AppCalls

    /// The answer of `GET` and `PATCH /v1/app`.
    struct AppAnswer: Encodable {
        var topic: String
        var requiresSignIn: Bool
        /// The greatest number of the app's pushes in a second; absent if there is no limit.
        var sendsPerSecond: Int?

        enum CodingKeys: String, CodingKey {
            case topic
            case requiresSignIn = "requires_sign_in"
            case sendsPerSecond = "sends_per_second"
        }

        init(_ app: AppRecord) {
            topic = app.topic
            requiresSignIn = app.requiresSignIn
            sendsPerSecond = app.sendsPerSecond
        }
    }

    func add(to router: Router<ServiceRequestContext>) {
        router.get("/v1/app") { request, _ in
            let caller = try await service.callers.backend(request, may: .read)
            guard let app = try await apps.app(caller.app.topic), app.reference == caller.app else {
                throw Problem.noSuchApp
            }
            return try JSONBody.answer(AppAnswer(app), tag: app.tag)
        }
        router.patch("/v1/app") { request, context in try await change(request, context) }
    }

    private func change(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .admin)
        var body = try await JSONBody.object(request)
        let rate = try body.takeCount("sends_per_second", atMost: ServiceLimits.sendsPerSecond)
        try body.finish()
        let changed = try await apps.change(
            caller.app, AppSettings(topic: caller.app.topic, sendsPerSecond: rate),
            ifMatching: request.headers[.ifMatch].flatMap(EntityTag.listed), by: caller.actor, at: service.clock.now)
        guard let app = changed else { throw Problem.noSuchApp }
        context.logger.notice("an app's settings were changed", metadata: ["app": "\(app.topic)"])
        return try JSONBody.answer(AppAnswer(app), tag: app.tag)
    }
}
