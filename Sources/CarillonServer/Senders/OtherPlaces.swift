import CarillonCore

/// Finds senders of the same database that live and send to another APNs than this sender.
///
/// A sender lives if its heartbeat counter has grown since the last look.
struct OtherPlaces: Sendable {
    private var beats: [SenderNumber: Int] = [:]

    /// Takes in the other senders at a heartbeat of this sender.
    ///
    /// - Parameters:
    ///   - others: the other senders.
    ///   - own: the addresses to which this sender sends; `nil` if it does not tell them.
    /// - Returns: the addresses to which living senders send, if they differ from `own`.
    mutating func observe(_ others: [SenderBeat], own: String?) -> Set<String> {
        let living = others.filter { other in !other.isDead && (beats[other.sender].map { $0 < other.beat } ?? false) }
        beats = Dictionary(others.map { ($0.sender, $0.beat) }, uniquingKeysWith: max)
        guard let own else { return [] }
        return Set(living.compactMap(\.place)).subtracting([own])
    }
}
