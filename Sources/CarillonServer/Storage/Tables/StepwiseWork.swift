import CarillonCore

/// Work that grows with an audience, done in bounded steps; unfinished work is in the table `work`.
///
/// The names of cases and stored properties are stored there in JSON: they must never change.
struct StepwiseWork: Codable {
    /// The kinds of work.
    enum Task: Codable {
        /// Addresses an accepted message to its recipients.
        case accept(Addressing)
        /// Holds the waiting pushes of a paused message, so that no sender looks at them.
        case hold(message: Int64)
        /// Lets the held pushes of a message go on.
        case letGo(message: Int64)
        /// Cancels the waiting pushes of a message.
        case cancel(message: Int64)
        /// Removes a recalled message from its devices; `wait` is the time for a silent push to be answered, in ms.
        case recall(message: Int64, wait: Int64)
        /// Ends a message whose `until` has passed.
        case end(message: Int64)
        /// Removes messages that a user has read from the user's other devices.
        case read(Reading)
        /// Removes from a device the messages of a user who has signed out of it.
        case signOut(SigningOut)
        /// Erases a user (``Erasing``).
        case erase(app: Int64, user: String)
    }

    /// Messages that are still to be removed from a user's devices, other than the device on which they were read.
    struct Reading: Codable {
        var app: Int64
        var user: String
        var device: String?
        var messages: [Int64]
    }

    /// A user's deliveries on a device that are still to be removed: those before the number ``before``, newest first.
    struct SigningOut: Codable {
        var device: String
        var user: String
        /// The receipts after which the device need not be told to remove a message (``SignOutCaller/settled``).
        var settled: Int
        var before = Int64.max
        var left = StoreLimits.removalsPerSync
    }

    var task: Task
    /// The list that the task is in; a task may go through several lists, one after the other.
    var phase = 0
    /// The position in the list.
    var position = ""

    /// The phase in which a message waits for its scheduled time; the first list follows.
    static let waitingPhase = -1

    /// - Parameters:
    ///   - task: the task.
    ///   - phase: the phase in which it begins. The default is the first list.
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

    /// The kind of work that addresses a message to its recipients.
    static let addressing = "accept"
    /// The kind of work that no sender's step continues.
    static let erasure = "erase"

    /// The message that the work is about; `nil` for work that is not about one message.
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
    /// The recipients and properties of a message's revision, as it was accepted.
    struct Addressing: Codable {
        /// The recipients of a message, fixed when it was accepted.
        enum Recipients: Codable {
            case users([String])
            case devices([String])
            /// All confirmed devices with an ordinal up to this one.
            case everyone(upTo: Int64)
            /// The devices among them that meet a condition (``AudienceExpression/description``), whose ages count from `at`.
            case matching(upTo: Int64, condition: String, at: Timestamp)
        }

        /// The message's number.
        var message: Int64
        var id: MessageID
        var app: Int64
        var recipients: Recipients
        var revision: Int
        /// The number of its devices, as its sender was told.
        var devices: Int
        var countsAsUnread: Bool
        var until: Timestamp?
        /// Whether it was scheduled, so that its recipients were determined at its time.
        var isScheduled: Bool
        /// Whether the revision before may have had another audience.
        var hasOtherAudience: Bool

        var lane: DeliveryLane { DeliveryLane(devices: devices) }
        /// Whether the revision before may be in inboxes that do not get this one.
        var leavesInboxes: Bool { revision > 1 && (hasOtherAudience || !countsAsUnread) }
        /// Whether the message has no named recipients.
        var isBroadcast: Bool {
            switch recipients {
            case .users, .devices: false
            case .everyone, .matching: true
            }
        }
    }
}
