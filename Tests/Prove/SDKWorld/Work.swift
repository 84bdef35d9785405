import CarillonCore
import CarillonMessaging

/// Work of the SDK that has begun: what is left to do, the next piece last.
struct Work: Sendable, Hashable {
    enum Place: Sendable, Hashable { case app, ext }

    let id: Int
    let place: Place
    /// The subject of the work, for the story.
    let title: String
    var pieces: [Piece] = []
    /// Whether the outside has not answered yet.
    var isSuspended = false
    /// Whether the outside was asked the next piece's question before.
    var wasAsked = false
    /// The missing answer, for the story; `nil` unless the work is suspended.
    var pending: String?
    /// Whether the push's message must reach the app's own code.
    var isForApp = false
    /// The waiting messages that reconciling has found.
    var unreported: [HandOvers.Key] = []
    /// The facts that the SDK has learnt once this work is complete.
    var lessons: [Lesson] = []
    /// The requests that this work has started beside itself.
    var requests: Int?
    /// The extension's treatment of the alert.
    var treatment = AlertTreatment.asItIs
    /// The versions that had alerted the person when this work decided about the list.
    var alertedBefore: Set<MessageRevision> = []

    /// Adds pieces that come before all others.
    mutating func first(_ more: [Piece]) { pieces += more.reversed() }
}

/// A piece of the SDK's work, as its callbacks carry them out one after another.
enum Piece: Sendable, Hashable {
    /// A notification that arrives, with its content as the extension has left it.
    struct Arrival: Sendable, Hashable {
        var push: Int
        var isQuiet = false
        /// Whether the extension has put a notice in the content's place.
        var isWithheld = false
        /// Whether the notification comes from the SDK instead of a push.
        var local: LocalNotification?
    }

    enum Answer: Sendable, Hashable {
        case found([DeliveredNotification])
        case refusal(String?)
        case notification(DeliveredNotification?)
        case list([DeliveredNotification])
    }

    enum Request: Sendable, Hashable { case registration, reads, sync, receipts }

    // In the app.
    case takeOver
    case lockList, unlockList
    case plan(Decision)
    case step(MessagePlan.Step)
    case answered(MessagePlan.Step, Answer)
    case picture(push: Int)
    case passPush(Int)
    case passLaunch(Int)
    case handOver(HandOvers.Key)
    case handOverUnreported
    case call(HandOvers.Key)
    case handled(HandOvers.Key)
    case present(Arrival)
    case respond(Listed)
    case startHandlers
    case exchange(needsSync: Bool)
    case lockRequests, unlockRequests
    case request(Request)
    case answer(Request, SyncAnswer?, [Receipt], [MessageRevision], isRefused: Bool)
    case scheduleRetry
    case save
    case saveWhatMatters
    case waitForRequests
    case complete
    // In the extension.
    case treat(Int)
    case extensionReceipts(Int)
    case extensionAnswer(Int, SyncAnswer?, [Receipt], isRefused: Bool)
    case giveContent(Int)

    /// A decision of the policy with which a plan begins.
    enum Decision: Sendable, Hashable {
        case pushed(Int)
        case answered(SyncAnswer)
        case reconciling
        case listMayBeOld
        case notPresented(String)
        case presented(String)
        case prepared(MessagePlan)
        case removingMessages
    }
}

/// A notification in Notification Center.
struct Listed: Sendable, Hashable {
    var notification: DeliveredNotification
    /// The push that it came in; `nil` if the SDK has made it.
    var push: Int?
    var isWithheld: Bool
}
