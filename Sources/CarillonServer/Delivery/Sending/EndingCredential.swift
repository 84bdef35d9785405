import CarillonCore

/// An app's certificate for APNs, with its end.
package struct EndingCredential: Sendable, Hashable {
    /// The app whose pushes are sent with the certificate.
    package let app: AppID
    /// The time from which APNs refuses the certificate.
    package let end: Timestamp
    /// A sentence with the expiry date and the remedy; `nil` if the certificate does not end soon.
    package let advice: String?

    /// Makes the description of a certificate.
    ///
    /// - Parameters:
    ///   - app: the app whose pushes are sent with the certificate.
    ///   - end: the time from which APNs refuses the certificate.
    ///   - advice: a sentence with the expiry date and the remedy; `nil` if the certificate does not end soon.
    package init(app: AppID, end: Timestamp, advice: String?) {
        self.app = app
        self.end = end
        self.advice = advice
    }
}
