import CarillonCore

/// The beginning of histories: the pushes that are on their way to a phone, and what else may happen.
struct Scenario: Sendable, Hashable {
    /// A push on its way to the phone.
    struct Push: Sendable, Hashable {
        /// The form of a push.
        enum Kind: Sendable, Hashable {
            /// iOS shows the message, after the service extension has looked at it.
            case alert
            /// The SDK shows the message, if the app may run.
            case silent
            /// The push has no message.
            case background
        }

        var kind: Kind
        /// The message's id; `nil` for a push without a message.
        var id: MessageID?
        var revision = 1
        /// The last moment of the message, in seconds after the beginning; `nil` if it does not expire.
        var lastSecond: Int?
        /// The removals that the push carries.
        var removals: [Removal] = []
        /// Whether the service composes the push only after it has signed the user out, for the next user.
        var isForNextUser = false
        /// Whether the push only says that the message was recalled.
        var isNotice = false
        /// Whether iOS shows the push without the service extension, because it has no `mutable-content`.
        var skipsExtension = false
        /// Whether the push names a picture, which the app downloads before it shows the message.
        var hasPicture = false
    }

    /// A kind of occurrence that a scenario allows.
    enum Occurrence: Sendable, Hashable, CaseIterable {
        case open, leave, kill, killExtension, slowExtension, network, fullDisk, expiry, retry, signOut, tap, read,
            pause
        case doubling, hour, stopReceipts
    }

    var name: String
    var pushes: [Push]
    var allows: Set<Occurrence>
    /// Whether the app is running in the foreground at the beginning; it is not running otherwise.
    var isOpen = false
    /// Whether the extension suppresses a message that may not be seen, instead of replacing its text.
    var suppresses = false
    /// The removals that the service has not been told of yet at the beginning.
    var removals: [Removal] = []
}

extension Scenario {
    static let gate = MessageID.known("gate")
    static let sale = MessageID.known("sale")
    private static let recalled = [Removal(gate)]
    private static let readElsewhere = [Removal(gate, reason: .read)]

    /// All scenarios, each about one kind of promise.
    static let all = [
        Scenario(
            name: "recalled alert",
            pushes: [
                Push(kind: .alert, id: gate), Push(kind: .background, removals: recalled),
                Push(kind: .alert, id: sale, removals: recalled),
            ],
            allows: [.open, .leave, .kill, .tap, .pause, .doubling, .killExtension, .slowExtension], removals: recalled),
        Scenario(
            name: "recalled alert, suppressed",
            pushes: [Push(kind: .alert, id: gate), Push(kind: .alert, id: sale, removals: recalled)],
            allows: [.open, .leave, .tap, .pause, .doubling, .network], suppresses: true, removals: recalled),
        Scenario(
            name: "recalled silent message",
            pushes: [
                Push(kind: .silent, id: gate, hasPicture: true), Push(kind: .background, removals: recalled),
                Push(kind: .silent, id: sale),
            ],
            allows: [.open, .leave, .kill, .tap, .pause, .doubling], isOpen: true, removals: recalled),
        Scenario(
            name: "notice of a recall",
            pushes: [
                Push(kind: .alert, id: gate), Push(kind: .alert, id: gate, removals: recalled, isNotice: true),
                Push(kind: .silent, id: sale),
            ],
            allows: [.open, .leave, .tap, .pause, .doubling], removals: recalled),
        Scenario(
            name: "message that expires",
            pushes: [
                Push(kind: .alert, id: gate, lastSecond: 60, skipsExtension: true),
                Push(kind: .alert, id: .known("offer"), lastSecond: 60),
                Push(kind: .silent, id: sale, lastSecond: 60, hasPicture: true),
            ],
            allows: [.open, .leave, .kill, .tap, .pause, .doubling, .expiry, .slowExtension]),
        Scenario(
            name: "sign-out",
            pushes: [
                Push(kind: .alert, id: gate), Push(kind: .silent, id: sale, hasPicture: true),
                Push(kind: .alert, id: .known("news"), skipsExtension: true),
                Push(kind: .alert, id: .known("welcome"), isForNextUser: true),
            ],
            allows: [.open, .leave, .kill, .tap, .pause, .signOut, .network], isOpen: true),
        Scenario(
            name: "replaced message",
            pushes: [
                Push(kind: .alert, id: gate, skipsExtension: true), Push(kind: .alert, id: gate, revision: 2),
                Push(kind: .silent, id: gate, revision: 2),
            ],
            allows: [.open, .leave, .kill, .tap, .pause, .doubling]),
        Scenario(
            name: "replaced silent message",
            pushes: [Push(kind: .silent, id: gate, hasPicture: true), Push(kind: .silent, id: gate, revision: 2)],
            allows: [.open, .leave, .kill, .tap, .pause, .doubling, .fullDisk]),
        Scenario(
            name: "read here and elsewhere",
            pushes: [
                Push(kind: .alert, id: gate, skipsExtension: true), Push(kind: .background, removals: readElsewhere),
                Push(kind: .silent, id: gate, hasPicture: true),
            ],
            allows: [.open, .leave, .kill, .tap, .read, .pause, .network], isOpen: true, removals: readElsewhere),
        Scenario(
            name: "poor network",
            pushes: [Push(kind: .alert, id: gate), Push(kind: .silent, id: sale)],
            allows: [.open, .leave, .kill, .tap, .read, .network, .retry, .hour]),
        Scenario(
            name: "overloaded service", pushes: [Push(kind: .alert, id: gate), Push(kind: .silent, id: sale)],
            allows: [.open, .leave, .network, .retry, .hour, .stopReceipts], isOpen: true),
        Scenario(
            name: "recalled alert without the extension",
            pushes: [Push(kind: .alert, id: gate, skipsExtension: true), Push(kind: .silent, id: sale)],
            allows: [.open, .leave, .kill, .tap, .pause, .network], removals: recalled),
        Scenario(
            name: "full disk",
            pushes: [Push(kind: .alert, id: gate), Push(kind: .alert, id: sale, removals: recalled)],
            allows: [.open, .kill, .tap, .doubling, .fullDisk, .killExtension], removals: recalled),
    ]
}

extension MessageID {
    /// An id that is surely valid.
    static func known(_ text: String) -> MessageID {
        guard let id = try? MessageID(text) else { preconditionFailure("\(text) is no message id") }
        return id
    }
}
