import CarillonCore

extension NotificationReport.Counts {
    subscript(state: DeliveryState) -> Int {
        get {
            switch state {
            case .queued: queued
            case .accepted: accepted
            case .rejected: rejected
            case .unanswered: unanswered
            case .expired: expired
            case .cancelled: cancelled
            case .setAside: setAside
            case .skipped: skipped
            }
        }
        set {
            switch state {
            case .queued: queued = newValue
            case .accepted: accepted = newValue
            case .rejected: rejected = newValue
            case .unanswered: unanswered = newValue
            case .expired: expired = newValue
            case .cancelled: cancelled = newValue
            case .setAside: setAside = newValue
            case .skipped: skipped = newValue
            }
        }
    }

    /// The number of devices to which the message was addressed so far.
    var deliveries: Int { queued + accepted + rejected + unanswered + expired + cancelled + setAside + skipped }

    /// Whether the message has gone out to no device, and no device is left out for another reason than its end.
    var areUnsent: Bool { devices == queued + expired }

    mutating func add(_ devices: Int, _ event: ReceiptEvent) {
        switch event {
        case .received: received += devices
        case .shown: shown += devices
        case .opened: opened += devices
        case .acted: acted += devices
        case .dismissed: dismissed += devices
        case .recalled: recalled += devices
        // Counts a message that expired on a phone like a push that expired unsent. The caller leaves out devices with both.
        case .expired: expired += devices
        }
    }
}
