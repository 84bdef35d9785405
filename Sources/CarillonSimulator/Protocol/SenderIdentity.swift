/// Who sends, as the credential proved it.
struct SenderIdentity: Sendable, Hashable {
    /// The bundle ids, or for certificates the exact topics, that the credential covers.
    var topics: Set<String>
    var isCertificate: Bool
    /// What the topic is when the request has none: a certificate of a single topic knows it.
    var defaultTopic: String?
    /// What was accepted of the credential although a rule would have it otherwise, for the journal.
    var note: String?
}
