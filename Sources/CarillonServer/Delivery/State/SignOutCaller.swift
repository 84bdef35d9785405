import CarillonCore

/// Who unbinds a device from its user, which says what its phone still shows.
package enum SignOutCaller: Sendable, Hashable {
    /// The app, whose SDK has emptied the list of notifications: what the phone has not reported may still be under way.
    case app
    /// The backend, or another user's sign-in: the phone may show whatever it was sent.
    case service
}

extension SignOutCaller {
    /// What a device has reported about a message that it need not be told to remove.
    var settled: ReceiptSet {
        switch self {
        case .app: ReceiptSet(ReceiptEvent.allCases)
        case .service: ReceiptSet([.opened, .dismissed, .expired, .recalled])
        }
    }
}
