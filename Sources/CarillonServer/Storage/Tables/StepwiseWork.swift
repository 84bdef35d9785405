import CarillonCore

/// A task whose work grows with an audience, with the position that its bounded steps have reached.
///
/// The table `work` stores unfinished work. The names of cases and stored properties are part of the stored JSON, so they must
/// never change.
struct StepwiseWork: Codable {
    /// The kinds of work.
    enum Task: Codable {
        /// Addresses an accepted message to its recipients.
        case accept(Addressing)
        /// Holds the waiting pushes of a paused message.
        case hold(message: Int64)
        /// Releases the held pushes of a message.
        case letGo(message: Int64)
        /// Cancels the waiting pushes of a message.
        case cancel(message: Int64)
        /// Removes a recalled message from its devices.
        ///
        /// `wait` is the time that a device has to answer a silent push, in milliseconds.
        case recall(message: Int64, wait: Int64)
        /// Expires a message whose `until` has passed.
        case end(message: Int64)
        /// Removes messages from a user's other devices, because the user has read them.
        case read(Reading)
        /// Removes a user's messages from a device that the user has signed out of.
        case signOut(SigningOut)
        /// Erases a user (``Erasing``).
        case erase(app: Int64, user: String)
    }

    /// Messages to remove from all of a user's devices, except from the device on which the user read them.
    struct Reading: Codable {
        var app: Int64
        var user: String
        var device: String?
        var messages: [Int64]
    }

    /// The deliveries to remove from a device after its user has signed out.
    ///
    /// These are the user's newest deliveries with numbers below ``before``; ``left`` counts those still to process.
    struct SigningOut: Codable {
        var device: String
        var user: String
        /// The receipts after which the device need not remove a message (``SignOutCaller/settled``).
        var settled: Int
        var before = Int64.max
        var left = StoreLimits.removalsPerSync
    }

    var task: Task
    /// The number of the task's current phase, counted from 0.
    ///
    /// A task may have several phases. Each processes one list, for example a message's devices or inboxes.
    var phase = 0
    /// The position in the list of the current phase.
    var position = ""

    /// The phase of a message that waits for its scheduled time, before phase 0.
    static let waitingPhase = -1

    /// Makes work at the beginning of a task.
    ///
    /// - Parameters:
    ///   - task: the task.
    ///   - phase: the first phase. The default is 0.
    init(_ task: Task, phase: Int = 0) {
        self.task = task
        self.phase = phase
    }

    /// Moves on to the beginning of the next phase.
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

    /// The value of ``kind`` for addressing a message to its recipients.
    static let addressing = "accept"
    /// The value of ``kind`` for erasures, which senders do not continue.
    static let erasure = "erase"

    /// The message that the work is about; `nil` if it is not about one message.
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
    /// The recipients and properties of one revision of a message, as accepted.
    struct Addressing: Codable {
        /// The recipients of a message, fixed when it was accepted or, for a scheduled message, when it starts.
        enum Recipients: Codable {
            case users([String])
            case devices([String])
            /// All confirmed devices with an ordinal up to this one.
            case everyone(upTo: Int64)
            /// The devices up to an ordinal that meet a condition (``AudienceExpression/description``).
            ///
            /// Ages in the condition count from `at`.
            case matching(upTo: Int64, condition: String, at: Timestamp)
        }

        /// The message's number in the store.
        var message: Int64
        var id: MessageID
        var app: Int64
        var recipients: Recipients
        var revision: Int
        /// The number of devices that the answer to the backend has reported.
        var devices: Int
        var countsAsUnread: Bool
        var until: Timestamp?
        /// Whether the message was scheduled, so that its recipients are determined at the scheduled time.
        var isScheduled: Bool
        /// Whether the previous revision may have had another audience.
        var hasOtherAudience: Bool

        var lane: DeliveryLane { DeliveryLane(devices: devices) }
        /// Whether users who do not get this revision may have the previous one in their inboxes.
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
