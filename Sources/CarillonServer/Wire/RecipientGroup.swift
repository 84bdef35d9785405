/// A group of a message's devices, as the parameter `group` of `GET /v1/notifications/{id}/recipients` names it.
///
/// Each group but ``notShown`` is named like a count of the message's report (``NotificationReport/Counts``), and has the devices
/// that the report counts.
package enum RecipientGroup: String, Sendable, Hashable, CaseIterable {
    // By the state of the push (``DeliveryState``).
    case queued, accepted, rejected, unanswered, cancelled, expired
    case setAside = "set_aside"
    case skipped
    // By the events that the device has reported; ``expired`` has both kinds.
    case received, shown, opened, acted, dismissed, recalled
    /// The devices whose push APNs accepted and which have reported nothing that shows that the person could see the message:
    /// neither shown, opened, acted nor dismissed.
    case notShown = "not_shown"
}
