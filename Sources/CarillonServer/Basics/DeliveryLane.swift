/// Which deliveries wait behind which: a message to many devices does not hold up the others.
package enum DeliveryLane: Int, Sendable, Hashable, CaseIterable {
    /// Of a message to few devices, or of the service's own.
    case single = 0
    /// Of a message to more than ``ServiceLimits/singleMessageDevices`` devices.
    case bulk = 1

    init(devices: Int) { self = devices <= ServiceLimits.singleMessageDevices ? .single : .bulk }
}
