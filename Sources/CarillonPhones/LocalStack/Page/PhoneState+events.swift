extension PhoneState {
    /// Returns what differs between this state and `earlier`: one or more events for the page, joined into one value.
    ///
    /// - Parameter earlier: the state that the page knows; `nil` for a new page.
    /// - Returns: the joined events; `nil` if nothing differs.
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

    /// Returns whether the page must get the event `phone`: whether anything differs except the clock, the notifications and
    /// the app's views.
    private func isSketch(differentFrom earlier: PhoneState) -> Bool {
        var same = self
        same.now = earlier.now
        same.notifications = earlier.notifications
        same.view = earlier.view
        return same != earlier
    }
}
