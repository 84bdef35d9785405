import CarillonCore
import Hummingbird

/// The route that lists an app's installations.
extension DeviceRoutes {
    /// The answer of `GET /v1/devices`.
    struct ListAnswer: Encodable {
        var devices: [DeviceAnswer]
        /// The value of `?after=` for the next page; absent on the last page.
        var next: String?
    }

    /// Adds the routes, which are of backends only, also where phones have a listener of their own.
    func addList(to router: Router<ServiceRequestContext>) {
        router.get("/v1/devices") { request, _ in try await list(request) }
        router.get("/v1/devices/{id}/notifications") { request, context in try await messages(request, context) }
    }

    private func messages(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .read)
        let query = ListQuery(request)
        let id = try context.parameters.require("id")
        let page = try await devices.messages(
            of: id, caller.app, before: try query.number("after"), limit: try query.limit(), at: service.clock.now)
        guard let page else { throw Problem.noSuchDevice() }
        return try JSONBody.answer(page)
    }

    private func list(_ request: Request) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .read)
        let query = ListQuery(request)
        var filter = DeviceFilter()
        filter.states = Set(try query.choices("state"))
        filter.tag = try query.text("tag", atMost: DeviceFacts.labelByteLimit)
        filter.user = try query.text("user", atMost: DeliveryLimits.userIDBytes)
        let last = try query.number("after")
        let limit = try query.limit()
        let found = try await devices.list(
            of: caller.app, filter, before: last, limit: limit + 1, at: service.clock.now)
        let page = found.prefix(limit)
        return try JSONBody.answer(
            ListAnswer(
                devices: page.map { DeviceAnswer($0.device) },
                next: found.count > limit ? page.last.map { "\($0.number)" } : nil))
    }
}
