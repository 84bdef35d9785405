/// The identity of a sender, as its credential proved it.
struct SenderIdentity: Sendable, Hashable {
    /// The bundle ids, or for certificates the exact topics, that the credential covers.
    var topics: Set<String>
    var isCertificate: Bool
    /// The topic of a request without one, for a certificate that has a single topic.
    var defaultTopic: String?
    /// A tolerated breach of a rule by the credential, for the journal.
    var note: String?
}
