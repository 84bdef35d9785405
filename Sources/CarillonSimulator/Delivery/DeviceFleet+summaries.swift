import CarillonCore
import Foundation

extension DeviceFleet {
    /// One device, as it stands.
    public struct Summary: Sendable, Hashable {
        public let device: String
        public let isOnline: Bool
        public let power: DevicePower
        /// The pushes that wait for it, oldest first.
        public let waiting: [Waiting]
        /// The tokens that are good.
        public let tokens: [Token]
        /// What became of everything that was sent to it.
        public let tally: DeliveryTally

        /// How many pushes wait for it.
        public var storedCount: Int { waiting.count }

        /// A good token, and what it is good for.
        public struct Token: Sendable, Hashable {
            public let token: DeviceToken
            public let bundleID: String
            public let environment: APNsEnvironment
        }

        /// A push that waits, and why.
        public struct Waiting: Sendable, Hashable {
            public let push: SimulatorPush
            public let cause: DeviceEvent.StorageCause
            /// Past this moment it may be discarded.
            public let until: Timestamp
        }

        init(_ device: DeviceStore.Device) {
            self.device = device.id
            isOnline = device.isOnline
            power = device.power
            tally = device.tally
            waiting = device.stored.map { Waiting(push: $0.push, cause: $0.cause, until: $0.keptUntil) }
            tokens = device.tokens.map { owner, token in
                Token(token: token, bundleID: owner.bundleID, environment: owner.environment)
            }.sorted { ($0.bundleID, $0.token.hex) < ($1.bundleID, $1.token.hex) }
        }
    }

    /// All devices at once: what a load test asks for.
    public struct Census: Sendable, Hashable {
        public var devices = 0
        public var online = 0
        /// Pushes that wait.
        public var waiting = 0
        /// Pushes that were handed over.
        public var delivered = 0
        /// Devices that have got at least one push.
        public var reached = 0
        /// The fewest pushes that any device has got; 0 without devices.
        public var fewest = 0
        /// The most pushes that any device has got.
        public var most = 0
        /// Pushes that were never handed over, by cause.
        public var discarded: [DeviceEvent.DiscardCause: Int] = [:]

        init(_ devices: [DeviceStore.Device]) {
            self.devices = devices.count
            fewest = devices.map(\.tally.delivered).min() ?? 0
            for device in devices {
                if device.isOnline { online += 1 }
                waiting += device.stored.count
                delivered += device.tally.delivered
                if device.tally.delivered > 0 { reached += 1 }
                most = max(most, device.tally.delivered)
                discarded.merge(device.tally.discarded, uniquingKeysWith: +)
            }
        }
    }

    /// All devices, in the order in which they became known.
    public func summaries() -> [Summary] { store.devices.map(Summary.init) }

    /// - Returns: `nil` for a device that nobody knows.
    public func summary(of device: String) -> Summary? {
        let store = store
        return store.index(of: device).map { Summary(store.devices[$0]) }
    }

    /// Everything counted up.
    public func census() -> Census { Census(store.devices) }
}
