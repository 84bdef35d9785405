import CarillonCore

/// A task that runs in steps of bounded size, with the position that the steps have reached.
///
/// A task needs steps if its work grows with the number of a message's recipients. The table `work` stores unfinished tasks as
/// JSON. The JSON contains the names of cases and stored properties, so these names must never change.
struct StepwiseWork: Codable {
    /// The kinds of tasks, with the details of each task.
    enum Task: Codable {
        /// Determines the recipients of an accepted message, and queues a push for each of their devices.
        case accept(Addressing)
        /// Holds the waiting pushes of a paused message, so that senders do not send them.
        case hold(message: Int64)
        /// Releases the held pushes of a message that was paused and is resumed, so that senders send them.
        ///
        /// For a message in local time, the task releases what is due. It begins again at the next moment of a device.
        case letGo(message: Int64)
        /// Cancels the waiting pushes of a cancelled message.
        case cancel(message: Int64)
        /// Removes a recalled message from its devices.
        ///
        /// `wait` is a time in milliseconds. A device that has not confirmed the removal after this time gets the recall's
        /// notice.
        case recall(message: Int64, wait: Int64)
        /// Ends a message whose `until` has passed: it leaves inboxes, and devices remove it if the backend asked for this.
        case end(message: Int64)
        /// Removes messages from a user's other devices, because the user has read them.
        case read(Reading)
        /// Removes a user's messages from a device that the user has signed out of.
        case signOut(SigningOut)
        /// Makes the devices of a Live Activity with channels its phones, and queues their starts.
        case follow(Following)
        /// Queues the newest state for the phones of a Live Activity with channels that have a token of their own.
        case tokens(Following)
        /// Queues a push for each token for widgets, or for controls, of an audience.
        case reload(Reloading)
        /// Erases a user (``Erasing``).
        case erase(app: Int64, user: String)
    }

    /// The messages that a user has read on one device, and that the user's other devices must remove.
    struct Reading: Codable {
        var app: Int64
        var user: String
        var device: String?
        var messages: [Int64]
    }

    /// The state of a task that removes a user's messages from a device, because the user has signed out.
    ///
    /// The task goes from the newest delivery to older ones. ``before`` is the number of the last processed delivery, and
    /// ``left`` is the greatest number of deliveries that remain to process.
    struct SigningOut: Codable {
        var device: String
        var user: String
        /// The receipts after which the device need not remove a message, as the raw value of a ``ReceiptSet``
        /// (``SignOutCaller/settled``).
        var settled: Int
        var before = Int64.max
        var left = StoreLimits.removalsPerSync
    }

    /// A Live Activity with channels, whose phones are to be started.
    struct Following: Codable {
        /// The number of the Live Activity in the store.
        var activity: Int64
        var app: Int64
    }

    /// A request to reload widgets or controls, whose pushes are to be queued.
    struct Reloading: Codable {
        var app: Int64
        var recipients: Addressing.Recipients
        /// The kinds of the controls; `nil` for the widgets.
        var controls: [String]?
        /// The time after which no push is sent.
        var until: Timestamp
        /// The number of devices in the audience, which decides the queue.
        var devices: Int
        /// The time after which no push of a further request is sent, which has come since the task began; `nil` for none.
        var again: Timestamp?
        /// The number of tokens that have been asked to reload so far.
        var tokens = 0
    }

    var task: Task
    /// The number of the task's current phase, counted from 0.
    ///
    /// A task may have several phases. Each phase processes one list, for example a message's devices or inboxes.
    var phase = 0
    /// The position that the task has reached in its current phase.
    ///
    /// Each phase processes one list. The position is a place in this list, such as a device's id or an index; it is empty at
    /// the beginning of a phase.
    var position = ""

    /// The phase before phase 0, in which the task of a scheduled message waits for the scheduled time.
    static let waitingPhase = -1

    /// Makes a task that has performed no step yet.
    ///
    /// - Parameters:
    ///   - task: the kind of task, with its details.
    ///   - phase: the first phase. The default is 0.
    init(_ task: Task, phase: Int = 0) {
        self.task = task
        self.phase = phase
    }

    /// Moves the task on to the beginning of its next phase.
    mutating func nextPhase() { (phase, position) = (phase + 1, "") }

    /// The name of the task's kind, which the column `kind` of the table `work` stores.
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
        case .follow: "follow"
        case .tokens: "tokens"
        case .reload: Self.reloading
        case .erase: Self.erasure
        }
    }

    /// The value of ``kind`` for a task that finds a message's recipients and queues their pushes.
    static let addressing = "accept"
    /// The value of ``kind`` for a task that reloads widgets or controls.
    static let reloading = "reload"
    /// The value of ``kind`` for a task that erases a user; senders do not perform such tasks.
    static let erasure = "erase"

    /// The number of the message that the task is about; `nil` if the task is not about one message.
    var message: Int64? {
        switch task {
        case .accept(let addressing): addressing.message
        case .recall(let message, _), .end(let message), .hold(let message), .letGo(let message),
            .cancel(let message):
            message
        case .read, .signOut, .follow, .tokens, .reload, .erase: nil
        }
    }
}

extension StepwiseWork {
    /// The recipients and properties of one revision of a message, as stored by the task that queues the message's pushes.
    struct Addressing: Codable {
        /// The recipients of a message.
        ///
        /// The service determines them when it accepts the message, or at the scheduled time of a scheduled message.
        enum Recipients: Codable {
            case users([String])
            case devices([String])
            /// All devices with a confirmed token (``DeviceRecord/confirmed``) whose ordinal (running number in the app) is at
            /// most this one.
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
        /// The number of devices that the service has reported to the backend in its answer to the message.
        var devices: Int
        var countsAsUnread: Bool
        /// The time after which no push of the message is sent; `nil` for none.
        var until: Timestamp?
        /// Whether the message was scheduled, so that its recipients are determined at the scheduled time.
        var isScheduled: Bool
        /// Whether the message's previous revision may have had another audience than this revision.
        var hasOtherAudience: Bool
        /// The rules of a message in local time; `nil` for any other message.
        var local: LocalSchedule?

        var lane: DeliveryLane { DeliveryLane(devices: devices) }
        /// Whether the task must also delete inbox entries that still name an earlier revision of the message.
        var leavesInboxes: Bool { revision > 1 && (hasOtherAudience || !countsAsUnread) }
        /// Whether the message has no named recipients: it is for everyone, or for the devices that meet a condition.
        var isBroadcast: Bool {
            switch recipients {
            case .users, .devices: false
            case .everyone, .matching: true
            }
        }
    }
}
