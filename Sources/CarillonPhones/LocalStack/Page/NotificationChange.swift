/// A change of a phone's list of notifications: the data of the page's event `notifications`.
///
/// Its size depends on the change, not on the length of the list: a longer change becomes several of these.
struct NotificationChange: Encodable, Sendable, Equatable {
    typealias Notification = PhoneState.Notification

    /// The phone's id.
    var phone: String
    /// Whether the page forgets the list that it knew.
    var isReset = false
    /// The ids that are no longer in the list, or no longer in their place.
    var gone: [String] = []
    /// The notifications to put: those that the page has then are replaced in place, the others come first, in this order.
    var put: [Notification] = []

    enum CodingKeys: String, CodingKey {
        case phone, gone, put
        case isReset = "reset"
    }

    /// Returns the changes that turn the list `old` into `new`.
    ///
    /// - Parameters:
    ///   - phone: the phone's id.
    ///   - old: the list that the page knows, the newest first; `nil` for a page that knows none.
    ///   - new: the list as it is now.
    /// - Returns: the changes in the order in which they are made; none for equal lists.
    static func changes(on phone: String, from old: [Notification]?, to new: [Notification]) -> [NotificationChange] {
        guard let old else { return all(new, on: phone) }
        guard old != new else { return [] }
        let known = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        // A notification that comes again under its id moves to the front.
        let staying = Set(new.filter { known[$0.id]?.at == $0.at }.map(\.id))
        let fresh = new.prefix(while: { !staying.contains($0.id) })
        let rest = new.dropFirst(fresh.count)
        guard rest.map(\.id) == old.map(\.id).filter(staying.contains) else { return all(new, on: phone) }
        let gone = old.map(\.id).filter { !staying.contains($0) }
        let changed = rest.filter { known[$0.id] != $0 }
        return pieces(changed).map { NotificationChange(phone: phone, put: $0) }.prepending(gone: gone, on: phone)
            + pieces(fresh).reversed().map { NotificationChange(phone: phone, put: $0) }
    }

    /// Returns the whole list, from its oldest piece on.
    private static func all(_ list: [Notification], on phone: String) -> [NotificationChange] {
        var changes = pieces(list[...]).reversed().map { NotificationChange(phone: phone, put: $0) }
        if changes.isEmpty { changes = [NotificationChange(phone: phone)] }
        changes[0].isReset = true
        return changes
    }

    private static func pieces(_ list: some Collection<Notification>) -> [[Notification]] {
        let list = Array(list)
        let size = PhonesLimits.notificationsPerEvent
        return stride(from: 0, to: list.count, by: size).map { Array(list[$0..<min($0 + size, list.count)]) }
    }
}

extension [NotificationChange] {
    fileprivate func prepending(gone: [String], on phone: String) -> [NotificationChange] {
        gone.isEmpty ? self : [NotificationChange(phone: phone, gone: gone)] + self
    }
}
