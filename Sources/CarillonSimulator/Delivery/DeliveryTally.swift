/// The counts of one device's pushes, by outcome.
public struct DeliveryTally: Sendable, Hashable {
    /// The number of pushes delivered to the device, including late ones.
    public private(set) var delivered = 0
    /// The number of pushes delivered after their expiration.
    public private(set) var deliveredLate = 0
    /// The number of pushes that had to wait, by cause.
    ///
    /// When the wait of a push ends, the push also counts as delivered or as discarded.
    public private(set) var stored: [DeviceEvent.StorageCause: Int] = [:]
    /// The number of pushes that were never delivered, by cause.
    public private(set) var discarded: [DeviceEvent.DiscardCause: Int] = [:]

    init() {}

    /// Adds pushes that were delivered in time.
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
