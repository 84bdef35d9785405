/// A change of a phone's delivered notifications, sent to the page as the event `notifications`.
///
/// Its size depends on the number of changed notifications, not on the number of all notifications. A large change is sent as
/// several values of this type.
struct NotificationChange: Encodable, Sendable, Equatable {
    typealias Notification = PhoneState.Notification

    /// The phone's id.
    var phone: String
    /// Whether the page must first clear its list.
    var isReset = false
    /// The ids of notifications to remove from the list.
    var gone: [String] = []
    /// The notifications to insert or replace.
    ///
    /// The page replaces notifications that it already has. It inserts the new ones at the front of its list, in this order.
    var put: [Notification] = []

    enum CodingKeys: String, CodingKey {
        case phone, gone, put
        case isReset = "reset"
    }

    /// Returns the changes that turn the list `old` into `new`.
    ///
    /// - Parameters:
    ///   - phone: the phone's id.
    ///   - old: the list that the page knows, newest first; `nil` for a new page.
    ///   - new: the present list.
    /// - Returns: the changes, in the order in which the page must make them; empty for equal lists.
    static func changes(on phone: String, from old: [Notification]?, to new: [Notification]) -> [NotificationChange] {
        guard let old else { return all(new, on: phone) }
        guard old != new else { return [] }
        let known = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        // A notification that was delivered again with its id moves to the front.
        let staying = Set(new.filter { known[$0.id]?.at == $0.at }.map(\.id))
        let fresh = new.prefix(while: { !staying.contains($0.id) })
        let rest = new.dropFirst(fresh.count)
        guard rest.map(\.id) == old.map(\.id).filter(staying.contains) else { return all(new, on: phone) }
        let gone = old.map(\.id).filter { !staying.contains($0) }
        let changed = rest.filter { known[$0.id] != $0 }
        return pieces(changed).map { NotificationChange(phone: phone, put: $0) }.prepending(gone: gone, on: phone)
            + pieces(fresh).reversed().map { NotificationChange(phone: phone, put: $0) }
    }

    /// Returns the changes that send the whole list, beginning with its oldest part.
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
