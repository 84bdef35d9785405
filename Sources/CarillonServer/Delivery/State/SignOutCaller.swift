import CarillonCore

/// The party that unbinds a device from its user, which decides what its phone may still show.
package enum SignOutCaller: Sendable, Hashable {
    /// The app, whose SDK has emptied the list of notifications; only messages without a report may still be under way.
    case app
    /// The backend, or another user's sign-in; the phone may show any message that it was sent.
    case service
}

extension SignOutCaller {
    /// The reports that make a removal unnecessary.
    var settled: ReceiptSet {
        switch self {
        case .app: ReceiptSet(ReceiptEvent.allCases)
        case .service: ReceiptSet([.opened, .dismissed, .expired, .recalled])
        }
    }
}
