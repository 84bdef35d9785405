import CarillonCore
import Foundation

extension DeviceFleet {
    /// The present state of one device.
    public struct Summary: Sendable, Hashable {
        /// The device's id.
        public let device: String
        /// Whether the device is online.
        public let isOnline: Bool
        /// The power state, which decides together with a push's priority whether the push is delivered at once.
        public let power: DevicePower
        /// The pushes that wait for the device, oldest first.
        public let waiting: [Waiting]
        /// The valid tokens of the device's apps.
        public let tokens: [Token]
        /// The counts of all pushes to the device, by outcome.
        public let tally: DeliveryTally

        /// The number of pushes that wait for the device.
        public var storedCount: Int { waiting.count }

        /// A valid token and its app.
        public struct Token: Sendable, Hashable {
            /// The token.
            public let token: DeviceToken
            /// The app's bundle id.
            public let bundleID: String
            /// The APNs environment in which the token is valid.
            public let environment: APNsEnvironment
        }

        /// A waiting push and the cause of its wait.
        public struct Waiting: Sendable, Hashable {
            /// The push.
            public let push: SimulatorPush
            /// The cause of the wait.
            public let cause: DeviceEvent.StorageCause
            /// The time from which the push may be discarded instead of delivered.
            public let until: Timestamp
        }

        init(_ device: DeviceStore.Device, in store: DeviceStore) {
            self.device = device.id
            isOnline = device.isOnline
            power = device.power
            tally = device.tally
            waiting = device.stored.map { Waiting(push: $0.push, cause: $0.cause, until: $0.keptUntil) }
            tokens = device.tokens.compactMap { place in
                let owner = store.tokens[place].owner
                return store.tokens.token(at: place).map {
                    Token(token: $0, bundleID: owner.bundleID, environment: owner.environment)
                }
            }.sorted { ($0.bundleID, $0.token.hex) < ($1.bundleID, $1.token.hex) }
        }
    }

    /// The totals over all devices, for example for a load test.
    public struct Census: Sendable, Hashable {
        /// The number of known devices.
        public var devices = 0
        /// The number of devices that are online.
        public var online = 0
        /// The number of waiting pushes.
        public var waiting = 0
        /// The number of delivered pushes.
        public var delivered = 0
        /// The number of devices that have received at least one push.
        public var reached = 0
        /// The smallest number of pushes that a device has received; 0 without devices.
        public var fewest = 0
        /// The greatest number of pushes that a device has received.
        public var most = 0
        /// The number of discarded pushes, by cause.
        public var discarded: [DeviceEvent.DiscardCause: Int] = [:]

        init(_ devices: [DeviceStore.Device]) {
            self.devices = devices.count
            fewest = devices.isEmpty ? 0 : .max
            for device in devices {
                let tally = device.tally
                fewest = min(fewest, tally.delivered)
                if device.isOnline { online += 1 }
                waiting += device.stored.count
                delivered += tally.delivered
                if tally.delivered > 0 { reached += 1 }
                most = max(most, tally.delivered)
                discarded.merge(tally.discarded, uniquingKeysWith: +)
            }
        }
    }

    /// Returns the present state of all devices.
    ///
    /// - Returns: the states, in the order in which the devices were created.
    public func summaries() -> [Summary] {
        let store = store
        return store.devices.map { Summary($0, in: store) }
    }

    /// Returns the present state of one device.
    ///
    /// - Parameter device: the device's id.
    /// - Returns: the state; `nil` for an unknown device.
    public func summary(of device: String) -> Summary? {
        let store = store
        return store.index(of: device).map { Summary(store.devices[$0], in: store) }
    }

    /// Counts all devices and their pushes.
    ///
    /// - Returns: the present totals.
    public func census() -> Census { Census(store.devices) }
}
