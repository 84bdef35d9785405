/// The queue in which deliveries wait, so that a message to many devices does not hold up others.
package enum DeliveryLane: Int, Sendable, Hashable, CaseIterable {
    /// Deliveries of a message to few devices, or of the service's own.
    case single = 0
    /// Deliveries of a message to more than ``DeliveryLimits/singleMessageDevices`` devices.
    case bulk = 1

    init(devices: Int) { self = devices <= DeliveryLimits.singleMessageDevices ? .single : .bulk }
}
