import CarillonCore

/// Work that grows with an audience, done in bounded steps; what is left of it is in the table `work`.
///
/// The names of cases and stored properties are kept there in JSON: they must never change.
struct StepwiseWork: Codable {
    /// The task of a piece of work.
    enum Task: Codable {
        /// A message that was accepted goes to those whom it is for.
        case accept(Addressing)
        /// Holds the waiting pushes of a paused message, so that no sender looks at them.
        case hold(message: Int64)
        /// Lets the held pushes of a message go on.
        case letGo(message: Int64)
        /// Cancels the waiting pushes of a message.
        case cancel(message: Int64)
        /// A message that is marked as recalled is taken from its devices; `wait` is how long a silent push is given to be
        /// answered, ms.
        case recall(message: Int64, wait: Int64)
        /// A message's `until` has passed.
        case end(message: Int64)
        /// Messages that a user has read leave the user's other devices.
        case read(Reading)
        /// Removes from a device the messages of a user who has signed out of it.
        case signOut(SigningOut)
        /// A user is to be forgotten (``Erasing``).
        case erase(app: Int64, user: String)
    }

    /// Messages that are still to be taken from a user's devices, other than the one on which they were read.
    struct Reading: Codable {
        var app: Int64
        var user: String
        var device: String?
        var messages: [Int64]
    }

    /// Deliveries of a user before the one with that number, the newest first.
    struct SigningOut: Codable {
        var device: String
        var user: String
        /// The receipts after which the device need not be told to remove a message (``SignOutCaller/settled``).
        var settled: Int
        var before = Int64.max
        var left = ServiceLimits.removalsPerSync
    }

    var task: Task
    /// A task may go through several lists, one after the other.
    var phase = 0
    /// Where it is in the list.
    var position = ""

    /// The phase in which a message waits for the moment at which it is sent; the next one is the first.
    static let waitingPhase = -1

    /// - Parameters:
    ///   - task: what is to be done.
    ///   - phase: where it begins. The default is at the first list.
    init(_ task: Task, phase: Int = 0) {
        self.task = task
        self.phase = phase
    }

    /// Goes on with the next list, from its beginning.
    mutating func nextPhase() { (phase, position) = (phase + 1, "") }

    /// The value of the column `kind`.
    var kind: String {
        switch task {
        case .accept: Self.addressing
        case .hold: "hold"
        case .letGo: "let-go"
        case .cancel: "cancel"
        case .recall: "recall"
        case .end: "end"
        case .read: "read"
        case .signOut: "sign-out"
        case .erase: Self.erasure
        }
    }

    /// The kind that brings a message to those whom it is for.
    static let addressing = "accept"
    /// The kind that no step of a sender's takes up.
    static let erasure = "erase"

    /// The message that it is all about, if there is one.
    var message: Int64? {
        switch task {
        case .accept(let addressing): addressing.message
        case .recall(let message, _), .end(let message), .hold(let message), .letGo(let message),
            .cancel(let message):
            message
        case .read, .signOut, .erase: nil
        }
    }
}

extension StepwiseWork {
    /// To whom a revision of a message goes, as it was accepted.
    struct Addressing: Codable {
        /// Whom it is for, at the moment at which it was accepted.
        enum Recipients: Codable {
            case users([String])
            case devices([String])
            /// All confirmed devices with an ordinal up to this one.
            case everyone(upTo: Int64)
            /// Those of them on whom a condition holds (``AudienceExpression/description``), whose ages count from `at`.
            case matching(upTo: Int64, condition: String, at: Timestamp)
        }

        /// The message's number.
        var message: Int64
        var id: MessageID
        var app: Int64
        var recipients: Recipients
        var revision: Int
        /// For how many devices it is, as its sender was told.
        var devices: Int
        var countsAsUnread: Bool
        var until: Timestamp?
        /// Whether it waited for a moment of its own: whom it is for was fixed then.
        var isScheduled: Bool?
        /// Whether the revision before may have been for others.
        var hasOtherAudience: Bool

        var lane: DeliveryLane { DeliveryLane(devices: devices) }
        /// Whether the revision before may be in inboxes in which this one is not to be.
        var leavesInboxes: Bool { revision > 1 && (hasOtherAudience || !countsAsUnread) }
        /// Whether nobody is named.
        var isBroadcast: Bool {
            switch recipients {
            case .users, .devices: false
            case .everyone, .matching: true
            }
        }
    }
}
