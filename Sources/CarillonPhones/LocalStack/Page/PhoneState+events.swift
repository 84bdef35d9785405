extension PhoneState {
    /// Returns an event with the differences between this state and `earlier`.
    ///
    /// - Parameter earlier: the state that the page knows; `nil` for a new page.
    /// - Returns: the event, which may join several events; `nil` if nothing differs.
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

    /// Returns whether the event `phone` must be sent: whether anything but clock, notifications and app's views differs.
    private func isSketch(differentFrom earlier: PhoneState) -> Bool {
        var same = self
        same.now = earlier.now
        same.notifications = earlier.notifications
        same.view = earlier.view
        return same != earlier
    }
}
