import CarillonCore

/// What a genuine provider token says.
struct VerifiedToken: Sendable, Hashable {
    var keyID: String
    var teamID: String
    var issuedAt: Timestamp
}
