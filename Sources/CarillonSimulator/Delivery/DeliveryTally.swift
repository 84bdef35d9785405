/// The counts of one device's pushes by their outcome.
public struct DeliveryTally: Sendable, Hashable {
    /// The pushes handed to the device, late ones included.
    public private(set) var delivered = 0
    /// The pushes handed over although their expiration had passed.
    public private(set) var deliveredLate = 0
    /// The pushes that had to wait, by cause; they are delivered or discarded later, and counted there too.
    public private(set) var stored: [DeviceEvent.StorageCause: Int] = [:]
    /// The pushes that were never handed over, by cause.
    public private(set) var discarded: [DeviceEvent.DiscardCause: Int] = [:]

    init() {}

    /// Adds pushes that were handed over in time.
    mutating func add(delivered count: Int) { delivered += count }

    mutating func count(_ kind: DeviceEvent.Kind) {
        switch kind {
        case .delivered(let late):
            delivered += 1
            if late { deliveredLate += 1 }
        case .stored(let cause, _): stored[cause, default: 0] += 1
        case .discarded(let cause): discarded[cause, default: 0] += 1
        case .tokenIssued, .tokenInvalidated, .connected, .disconnected, .powerChanged, .followed: break
        }
    }
}
