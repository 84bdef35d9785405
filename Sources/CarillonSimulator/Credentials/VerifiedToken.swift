import CarillonCore

/// The contents of a valid provider token.
struct VerifiedToken: Sendable, Hashable {
    var keyID: String
    var teamID: String
    var issuedAt: Timestamp
    /// A tolerated violation of a rule, for the journal; `nil` if there is none.
    var note: String?
}
