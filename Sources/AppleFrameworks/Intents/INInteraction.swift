import Foundation
import Synchronization
@_spi(Simulation) import UserNotifications

/// The direction of an interaction: started by the phone's owner or by somebody else.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum INInteractionDirection: Int, Sendable {
    case unspecified = 0
    case outgoing = 1
    case incoming = 2
}

/// An interaction between the person and an app; the app donates the interaction to the system.
/// [INInteraction](https://developer.apple.com/documentation/intents/ininteraction)
///
/// Differs from iOS: Siri does not receive the interaction; the phone records it in `donations`.
open class INInteraction: NSObject {
    open private(set) var intent: INIntent
    open private(set) var intentResponse: INIntentResponse?
    open var direction = INInteractionDirection.unspecified
    open var dateInterval: DateInterval?
    /// The identifier; the default is different for each interaction that a running app makes.
    open var identifier = INInteraction.nextIdentifier()
    /// The identifier of a group of interactions that the app can delete together.
    open var groupIdentifier: String?

    public init(intent: INIntent, response: INIntentResponse?) {
        self.intent = intent
        intentResponse = response
    }

    /// Donates the interaction; the completion handler is called on the main thread.
    @preconcurrency open func donate(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        guard let process = SimulatedDevices.currentProcess else {
            SimulatedDevices.stopOutsideOfAnyPhone("INInteraction.donate(completion:)")
        }
        let donation = InteractionDonation(
            identifier: identifier, groupIdentifier: groupIdentifier, isIncoming: direction == .incoming,
            communication: intent.speaks)
        process.donate(donation) { completion?(nil) }
    }

    public func donate() async throws {
        await withUnsafeContinuation { continuation in donate { _ in continuation.resume() } }
    }

    @preconcurrency open class func deleteAll(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        delete(identifiers: nil, groupIdentifier: nil, completion)
    }

    @preconcurrency open class func delete(
        with identifiers: [String], completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        delete(identifiers: identifiers, groupIdentifier: nil, completion)
    }

    @preconcurrency open class func delete(
        with groupIdentifier: String, completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        delete(identifiers: nil, groupIdentifier: groupIdentifier, completion)
    }

    private class func delete(
        identifiers: [String]?, groupIdentifier: String?, _ completion: (@Sendable ((any Error)?) -> Void)?
    ) {
        guard let process = SimulatedDevices.currentProcess else {
            SimulatedDevices.stopOutsideOfAnyPhone("INInteraction.delete")
        }
        process.deleteDonations(identifiers: identifiers, groupIdentifier: groupIdentifier) { completion?(nil) }
    }

    private static func nextIdentifier() -> String {
        let number = SimulatedDevices.current?.memory.next("interaction")
        return "interaction-\(number ?? outsideOfPhones.add(1, ordering: .relaxed).newValue)"
    }

    /// The number of interactions that code outside any phone has made; the identifier of a new interaction contains it.
    private static let outsideOfPhones = Atomic(0)
}
