extension Door {
    /// The members of the other service's calls, and what becomes of each.
    package var members: [DoorMember] {
        switch self {
        case .gorush: GorushNotification.members
        case .onesignal: OneSignalMessage.members
        }
    }
}

/// A member of another service's call, and what its door does with it.
package struct DoorMember: Sendable, Hashable {
    package enum Treatment: String, Sendable, Hashable {
        /// It has its effect.
        case taken
        /// It has none, and the call succeeds: nothing on an iPhone depends on it, or the service does it by itself.
        case ignored
        /// The call is refused, because the message would be another one without it.
        case refused
    }

    /// The member's name; a name that ends in `*` stands for all that begin so.
    package var name: String
    package var treatment: Treatment
    /// The effect, or the reason why it has none.
    package var note: String

    static func taken(_ name: String, _ note: String) -> DoorMember {
        DoorMember(name: name, treatment: .taken, note: note)
    }

    static func ignored(_ name: String, _ note: String) -> DoorMember {
        DoorMember(name: name, treatment: .ignored, note: note)
    }

    static func refused(_ name: String, _ note: String) -> DoorMember {
        DoorMember(name: name, treatment: .refused, note: note)
    }

    /// Returns whether the member has this name.
    func covers(_ other: String) -> Bool {
        guard name.hasSuffix("*") else { return name.utf8.elementsEqual(other.utf8) }
        return other.utf8.starts(with: name.utf8.dropLast())
    }
}
