import CarillonCore

extension Removal.Reason {
    /// The timeline's reason for cancelling an unsent push.
    var cancellation: String {
        switch self {
        case .recall: "recalled before it was sent"
        case .read: "read on another device before it was sent"
        case .signOut: "the device signed out before it was sent"
        case .replaced: "replaced by a newer revision, for others, before it was sent"
        case .expired: "not sent: its time had passed"
        }
    }

    /// The timeline's reason for a push that makes a device remove a message.
    var why: String {
        switch self {
        case .recall: "recalled"
        case .read: "read on another device"
        case .signOut: "the device has signed out"
        case .replaced: "replaced by a newer revision, for others"
        case .expired: "its time has passed"
        }
    }
}
