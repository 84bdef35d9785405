/// Where a message stands as a whole.
package enum MessageState: String, Sendable, Hashable, CaseIterable, Codable {
    /// On the service's disk; nothing has been handed to APNs yet.
    case accepted
    /// It waits for the moment at which it is to be sent.
    case scheduled
    /// It was stopped for a while: nothing of it is sent until somebody lets it go on.
    case paused
    /// Some devices are done, others are not.
    case sending
    /// Nothing is left to send. What arrived is in the counts.
    case sent
    /// It was stopped for good: what had not gone out by then does not, and what had stays.
    case cancelled
    /// It was taken back, by a person or by the backend.
    case recalled
    /// Its time has passed.
    case expired
}
