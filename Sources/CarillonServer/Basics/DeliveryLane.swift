/// The queue in which a delivery waits.
///
/// Two queues keep a message to many devices from delaying other messages.
package enum DeliveryLane: Int, Sendable, Hashable, CaseIterable {
    /// Deliveries of a message to few devices, and the service's own pushes.
    case single = 0
    /// Deliveries of a message to more than ``DeliveryLimits/singleMessageDevices`` devices.
    case bulk = 1

    init(devices: Int) { self = devices <= DeliveryLimits.singleMessageDevices ? .single : .bulk }
}
