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

    /// Adds the route, which is of backends only, also where phones have a listener of their own.
    func addList(to router: Router<ServiceRequestContext>) {
        router.get("/v1/devices") { request, _ in try await list(request) }
    }

    private func list(_ request: Request) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .read)
        let query = ListQuery(request)
        var filter = DeviceFilter()
        filter.states = Set(try query.choices("state"))
        filter.tag = try query.text("tag", atMost: DeviceFacts.labelByteLimit)
        filter.user = try query.text("user", atMost: DeliveryLimits.userIDBytes)
        let mark = try query.text("after", atMost: ServiceLimits.markBytes)
        let last = mark.flatMap { Int64($0) }
        guard mark == nil || last.map({ $0 > 0 && "\($0)" == mark }) == true else {
            throw Problem.query("after must be the next of the previous page")
        }
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
