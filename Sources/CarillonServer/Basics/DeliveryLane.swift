/// One of the two queues in which pushes wait to be sent: ``single`` or ``bulk``.
///
/// A sender takes pushes from ``single`` first, so that a message to many devices does not delay other messages.
package enum DeliveryLane: Int, Sendable, Hashable, CaseIterable {
    /// The queue for pushes of a message to few devices (``DeliveryLimits/singleMessageDevices``), and for the service's own
    /// pushes (``OwnPushes``).
    case single = 0
    /// The queue for pushes of a message to more than ``DeliveryLimits/singleMessageDevices`` devices.
    case bulk = 1

    init(devices: Int) { self = devices <= DeliveryLimits.singleMessageDevices ? .single : .bulk }
}
