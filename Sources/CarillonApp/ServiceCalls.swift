import CarillonCore
import CarillonMessaging

/// The sender of single requests to the service, which records what each answer and each failure says about this installation.
@MainActor
final class ServiceCalls {
    /// The kinds of requests to the service.
    ///
    /// The raw value names the request in ``CarillonEvent/serviceFailed(request:reason:)``.
    enum Request: String {
        case register = "POST devices"
        case change = "PATCH devices"
        case signOut = "DELETE devices"
        case sync = "GET devices"
        case receipts = "POST receipts"
        case liveActivities = "POST live-activities"
        case inbox = "GET inbox"
        case read = "POST read"
    }

    let configuration: Carillon.Configuration
    let store: CarillonStore
    let clock: any CarillonClock
    private let service: ServiceClient
    private let messages: MessageCenter
    /// Whether this process has already taken a new identity because another phone uses this installation's identity too.
    private var hasLeftCopy = false
    /// The device token as iOS gave it; `nil` before iOS gives one.
    var deviceToken: DeviceToken?
    /// The names of the types of Live Activities that the app has registered.
    var liveActivityTypes: Set<String> = []
    /// Whether the tokens for widgets and controls have been read from WidgetKit since the launch.
    var hasReadWidgets = false
    /// Called when the service has answered.
    var onAnswer: @MainActor () -> Void = {}
    /// Called when this phone has taken a new identity, because another phone uses the former one too.
    var onNewIdentity: @MainActor () -> Void = {}

    init(
        _ configuration: Carillon.Configuration, store: CarillonStore, clock: any CarillonClock,
        service: ServiceClient, messages: MessageCenter
    ) {
        self.configuration = configuration
        self.store = store
        self.clock = clock
        self.service = service
        self.messages = messages
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - request: the kind of the request.
    ///   - identity: the installation's identity.
    ///   - call: calls a method of the client.
    ///   - record: stores what only this kind of request answers; returns the part of the answer that brings every installation up
    ///     to date, or `nil` if there is none, or if it must not be used.
    /// - Returns: the failure, reported to the app; `nil` if the service has answered and the answer is processed.
    func send<Answer: Sendable>(
        _ request: Request, as identity: InstallationIdentity,
        _ call: @MainActor (ServiceClient, InstallationIdentity) async throws -> Answer, record: (Answer) -> SyncAnswer?
    ) async -> RequestFailure? {
        let requestedAt = clock.now
        do {
            let answer = try await call(service, identity)
            onAnswer()
            if let sync = record(answer) { await apply(sync, askedAt: requestedAt) }
            return nil
        } catch {
            return await failed(error, request)
        }
    }

    /// Processes the part of an answer that brings the installation up to date: the service's time, the removals, the badge, and
    /// the device token stored at the service.
    ///
    /// If that token differs from this phone's, another phone uses this installation's id. Then this phone takes a new
    /// identity.
    private func apply(_ answer: SyncAnswer, askedAt: Timestamp) async {
        store.update { [now = clock.now] contents in
            contents.sync.answered()
            contents.policy.time.heard(answer.now, askedAt: askedAt, at: now)
        }
        await messages.apply(answer)
        guard !hasLeftCopy,
            store.contents.registration.isShared(serviceToken: answer.tokenEnd, deviceToken: deviceToken)
        else { return }
        hasLeftCopy = true
        configuration.report(.installationWasCopied)
        await renewIdentity()
        onNewIdentity()
    }

    /// Reports a failed request, and records what it says about this installation; the request's lane records the rest.
    func failed(_ error: any Error, _ request: Request) async -> RequestFailure {
        configuration.report(.serviceFailed(request: request.rawValue, reason: "\(error)"))
        let failure = RequestFailure(error, at: clock.now, jitter: store.chance())
        store.update { $0.registration.heard(failure, isRegistering: request == .register) }
        if request == .register, failure.isConflict { await renewIdentity() }
        return failure
    }

    /// Replaces this installation's id and secret, because the service has another secret for the id, or another phone uses the
    /// id too.
    private func renewIdentity() async {
        await store.renewIdentity()
        store.update { $0.registration.forget() }
    }
}

/// A failure of the app's sign-in closure: it threw an error, or did not return in time.
struct AppCodeError: Error, CustomStringConvertible {
    let description: String
}
