/// The identity of a sender, as proved by its credential.
struct SenderIdentity: Sendable, Hashable {
    /// The topics that the credential covers: bundle ids for a signing key, exact topics for a certificate.
    var topics: Set<String>
    var isCertificate: Bool
    /// The topic for requests without `apns-topic`, if the credential is a certificate with a single topic; otherwise `nil`.
    var defaultTopic: String?
    /// A tolerated violation of a rule by the provider token, for the journal; `nil` if there is none.
    var note: String?
}
