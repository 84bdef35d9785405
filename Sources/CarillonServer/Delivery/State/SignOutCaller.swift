import CarillonCore

/// The party that unbinds a device from its user.
///
/// It decides which messages the phone may still show.
package enum SignOutCaller: Sendable, Hashable {
    /// The app.
    ///
    /// Its SDK has emptied the list of notifications, so only messages without a report may still be on their way.
    case app
    /// The backend, or the sign-in of another user.
    ///
    /// The phone may still show any message that it was sent.
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
