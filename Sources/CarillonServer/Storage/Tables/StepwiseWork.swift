import CarillonCore

/// A task that runs in bounded steps, and the position that the steps have reached.
///
/// A task needs steps if its work grows with the number of a message's recipients.
///
/// The table `work` stores unfinished tasks. The names of cases and stored properties are part of the stored JSON, so they must
/// never change.
struct StepwiseWork: Codable {
    /// The kinds of tasks, with the details of each task.
    enum Task: Codable {
        /// Determines the recipients of an accepted message, and queues a push for each of their devices.
        case accept(Addressing)
        /// Holds the waiting pushes of a paused message, so that senders do not find them.
        case hold(message: Int64)
        /// Releases the held pushes of a message that is not paused any more.
        case letGo(message: Int64)
        /// Cancels the waiting pushes of a message.
        case cancel(message: Int64)
        /// Removes a recalled message from its devices.
        ///
        /// `wait` is the time that a device has to confirm the removal before it gets the recall's notice, in milliseconds.
        case recall(message: Int64, wait: Int64)
        /// Expires a message whose `until` has passed, and removes it from devices.
        case end(message: Int64)
        /// Removes messages from a user's other devices, because the user has read them.
        case read(Reading)
        /// Removes a user's messages from a device that the user has signed out of.
        case signOut(SigningOut)
        /// Erases a user (``Erasing``).
        case erase(app: Int64, user: String)
    }

    /// Messages that a user has read on one device, to be removed from the user's other devices.
    struct Reading: Codable {
        var app: Int64
        var user: String
        var device: String?
        var messages: [Int64]
    }

    /// The deliveries whose messages are removed from a device after its user has signed out.
    ///
    /// These are the user's newest deliveries with numbers below ``before``; ``left`` is the number of deliveries still to
    /// process.
    struct SigningOut: Codable {
        var device: String
        var user: String
        /// The receipts after which a message need not be removed from the device, as a raw value (``SignOutCaller/settled``).
        var settled: Int
        var before = Int64.max
        var left = StoreLimits.removalsPerSync
    }

    var task: Task
    /// The number of the task's current phase, counted from 0.
    ///
    /// A task may have several phases. Each phase processes one list, for example a message's devices or inboxes.
    var phase = 0
    /// The position up to which the task has processed the list of the current phase, such as a device's id or an index; empty at
    /// first.
    var position = ""

    /// The phase before phase 0, in which a scheduled message waits for its time.
    static let waitingPhase = -1

    /// Makes a task at its beginning.
    ///
    /// - Parameters:
    ///   - task: the kind of task.
    ///   - phase: the first phase. The default is 0.
    init(_ task: Task, phase: Int = 0) {
        self.task = task
        self.phase = phase
    }

    /// Moves on to the beginning of the next phase.
    mutating func nextPhase() { (phase, position) = (phase + 1, "") }

    /// The value of the column `kind` of the table `work`.
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
    /// The value of ``kind`` for erasures of users; senders do not perform these tasks.
    static let erasure = "erase"

    /// The number of the message that the task is about; `nil` if it is not about one message.
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
        /// The recipients of a message.
        ///
        /// The service determines them when it accepts the message, or at the scheduled time of a scheduled message.
        enum Recipients: Codable {
            case users([String])
            case devices([String])
            /// All confirmed devices whose ordinal (running number in the app) is at most this one.
            case everyone(upTo: Int64)
            /// The devices that meet a condition (``AudienceExpression/description``), up to an ordinal (running number in the
            /// app).
            ///
            /// Ages in the condition, such as `seen<30d`, are measured at the time `at`.
            case matching(upTo: Int64, condition: String, at: Timestamp)
        }

        /// The message's number in the store.
        var message: Int64
        var id: MessageID
        var app: Int64
        var recipients: Recipients
        var revision: Int
        /// The number of devices in the answer to the backend that sent the message.
        var devices: Int
        var countsAsUnread: Bool
        var until: Timestamp?
        /// Whether the message was scheduled, so that its recipients are determined at the scheduled time.
        var isScheduled: Bool
        /// Whether the previous revision may have had another audience.
        var hasOtherAudience: Bool

        var lane: DeliveryLane { DeliveryLane(devices: devices) }
        /// Whether users who do not get this revision may have the previous revision in their inboxes.
        var leavesInboxes: Bool { revision > 1 && (hasOtherAudience || !countsAsUnread) }
        /// Whether the message is for everyone or for an audience's condition, not for named users or devices.
        var isBroadcast: Bool {
            switch recipients {
            case .users, .devices: false
            case .everyone, .matching: true
            }
        }
    }
}
