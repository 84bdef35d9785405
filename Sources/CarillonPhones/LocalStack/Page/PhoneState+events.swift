extension PhoneState {
    /// Returns the events for a page that knows `earlier`: only the differences.
    ///
    /// - Parameter earlier: the known state; `nil` for a page that knows nothing of the phone.
    /// - Returns: the events; `nil` when nothing differs.
    func event(since earlier: PhoneState?) -> ServerSentEvent? {
        var events: [ServerSentEvent?] = []
        if earlier.map(isSketch(differentFrom:)) ?? true { events.append(try? ServerSentEvent("phone", self)) }
        events += NotificationChange.changes(on: id, from: earlier?.notifications, to: notifications)
            .map { try? ServerSentEvent("notifications", $0) }
        if earlier.map({ $0.view != view }) ?? true {
            events.append(try? ServerSentEvent("view", ViewChange(phone: id, view: view)))
        }
        let changes = events.compactMap(\.self)
        return changes.isEmpty ? nil : ServerSentEvent(joining: changes)
    }

    /// Returns whether anything differs except the clock, the notifications and the app's views.
    private func isSketch(differentFrom earlier: PhoneState) -> Bool {
        var same = self
        same.now = earlier.now
        same.notifications = earlier.notifications
        same.view = earlier.view
        return same != earlier
    }
}
