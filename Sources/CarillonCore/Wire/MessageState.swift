/// Where a message stands as a whole.
package enum MessageState: String, Sendable, Hashable, CaseIterable, Codable {
    /// On the service's disk; nothing has been handed to APNs yet.
    case accepted
    /// Some devices are done, others are not.
    case sending
    /// Nothing is left to send. What arrived is in the counts.
    case sent
    /// It was taken back, by a person or by the backend.
    case recalled
    /// Its time has passed.
    case expired
}
