/// How far the service has got with one device.
package enum DeliveryState: String, Sendable, Hashable, CaseIterable, Codable {
    /// Nothing has been handed to APNs yet, or it is to be tried again.
    case queued
    /// Accepted by APNs; what the phone made of it is in the receipts.
    case accepted
    /// Refused by APNs for good; the timeline has its reason.
    case rejected
    /// Given up after several attempts whose answers never came.
    case unanswered
    /// Its time had passed before it could be sent.
    case expired
    /// Taken back, read elsewhere or signed out before it was sent.
    case cancelled
    /// Not sent, because what is kept of it cannot be read: a person must look.
    case setAside = "set-aside"
}
