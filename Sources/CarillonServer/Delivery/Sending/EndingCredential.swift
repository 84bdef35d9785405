import CarillonCore

/// An app's certificate for APNs, with the time at which it expires.
package struct EndingCredential: Sendable, Hashable {
    /// The app whose pushes are sent with the certificate.
    package let app: AppID
    /// The time at which the certificate expires; APNs refuses it from then on.
    package let end: Timestamp
    /// A sentence with the expiry date and the remedy; `nil` if the certificate does not expire soon.
    package let advice: String?

    /// Makes the description of a certificate.
    ///
    /// - Parameters:
    ///   - app: the app whose pushes are sent with the certificate.
    ///   - end: the time at which the certificate expires; APNs refuses it from then on.
    ///   - advice: a sentence with the expiry date and the remedy; `nil` if the certificate does not expire soon.
    package init(app: AppID, end: Timestamp, advice: String?) {
        self.app = app
        self.end = end
        self.advice = advice
    }
}
