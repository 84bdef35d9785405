/// The identity of a sender, as proved by its credential.
struct SenderIdentity: Sendable, Hashable {
    /// The bundle ids that the credential covers; for a certificate, the exact topics.
    var topics: Set<String>
    var isCertificate: Bool
    /// The topic of a request without `apns-topic`, for a certificate with a single topic; otherwise `nil`.
    var defaultTopic: String?
    /// A tolerated violation of a rule by the credential, for the journal; `nil` if there is none.
    var note: String?
}
