import CarillonCore
import Hummingbird
import Logging

/// What every route works with, and the list of the routes.
struct API: Sendable {
    let store: any Store
    let configuration: ServiceConfiguration
    let clock: any CarillonClock
    let random: RandomSource
    let callers: CallerAuthentication
    let signal: WakeSignal
    let hub: EventHub<TimelineEvent>
    let metrics: ServiceMetrics
    let health: ServiceHealth
    let logger: Logger

    func addRoutes(to router: Router<BasicRequestContext>) {
        NotificationRoutes(api: self).add(to: router)
        DeviceRoutes(api: self).add(to: router)
        InboxRoutes(api: self).add(to: router)
        ReceiptRoutes(api: self).add(to: router)
        UserRoutes(api: self).add(to: router)
        StatusRoutes(api: self).add(to: router)
    }

    /// Tells those who watch, and the worker.
    func changed(_ events: [TimelineEvent]) {
        metrics.count(events)
        hub.publish(events)
        signal.wake()
    }

    /// An installation's view of things, answered to every contact.
    func sync(_ device: String) async throws -> SyncAnswer {
        let answer = try await store.sync(device, limit: ServiceLimits.removalsPerSync, at: clock.now)
        guard let answer else { throw Problem.noSuchDevice() }
        return answer
    }
}

extension BasicRequestContext {
    /// A segment of the path that names a message.
    func messageID(_ name: String) throws -> MessageID {
        let text = try parameters.require(name)
        guard let id = try? MessageID(text) else { throw Problem.noSuchMessage(text) }
        return id
    }
}
