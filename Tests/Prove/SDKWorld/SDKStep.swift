import CarillonCore

/// A step of a history: an act of APNs, of iOS, of the person or of the network.
package enum SDKStep: Codable, Hashable, Sendable {
    /// A moment at which work stops because the outside has not answered yet.
    package struct Pause: Codable, Hashable, Sendable {
        /// The number of the question to the outside at which the work stops, from 0.
        package var question: Int
        /// Whether the outside has already done what was asked, and only its answer is missing.
        package var isDone: Bool
    }

    /// The ways in which requests to the service end.
    package enum Network: String, Codable, Hashable, Sendable {
        case good
        /// No request reaches the service.
        case offline
        /// Requests reach the service, and no answer comes back.
        case deaf
        /// The service refuses every request with 503.
        case refusing
    }

    /// The push with this number reaches the phone.
    case deliver(Int, Pause?)
    /// The person opens the app.
    case open(Pause?)
    /// The person leaves the app, which stays in memory.
    case leave
    /// iOS ends the app.
    case kill
    /// The person taps the notification with this identifier.
    case tap(String, Pause?)
    /// The person reads the message inside the app.
    case read(String, Pause?)
    /// The person signs out.
    case signOut(Pause?)
    /// The outside answers, and the work with this number goes on.
    case resume(Int, Pause?)
    /// iOS ends the process of the service extension.
    case killExtension
    /// The extension's time is over: iOS shows the original.
    case giveUpExtension
    case network(Network)
    case disk(isFull: Bool)
    /// Time passes until the messages have expired.
    case waitForExpiry
    /// Time passes until the SDK tries again.
    case waitForRetry
    /// An hour passes while the app is not in front.
    case waitAnHour
    /// The app stops writing receipts, because the person has objected.
    case stopReceipts

    /// The pause in the step's work; `nil` if there is none.
    var pause: Pause? {
        switch self {
        case .deliver(_, let pause), .open(let pause), .tap(_, let pause), .read(_, let pause), .signOut(let pause),
            .resume(_, let pause):
            pause
        case .leave, .kill, .killExtension, .giveUpExtension, .network, .disk, .waitForExpiry, .waitForRetry,
            .waitAnHour,
            .stopReceipts:
            nil
        }
    }

    /// Returns the step with another pause; `nil` if the step starts no work.
    func with(_ pause: Pause) -> SDKStep? {
        switch self {
        case .deliver(let push, _): .deliver(push, pause)
        case .open: .open(pause)
        case .tap(let identifier, _): .tap(identifier, pause)
        case .read(let identifier, _): .read(identifier, pause)
        case .signOut: .signOut(pause)
        case .resume(let work, _): .resume(work, pause)
        case .leave, .kill, .killExtension, .giveUpExtension, .network, .disk, .waitForExpiry, .waitForRetry,
            .waitAnHour,
            .stopReceipts:
            nil
        }
    }
}
