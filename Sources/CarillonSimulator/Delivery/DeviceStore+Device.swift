import CarillonCore

extension DeviceStore {
    /// The state of one device at APNs.
    ///
    /// The value is small because there may be a million devices. Rare properties are in `Details`.
    struct Device: Sendable {
        private struct Details: Sendable {
            var stored: [StoredPush] = []
            var throttles: [String: SlidingWindow] = [:]
            var tally = DeliveryTally()
            /// The indices of all further valid tokens of the device in the token table; the index of the first token is in
            /// `firstToken`.
            var tokens: [Int32] = []
        }

        let id: String
        var isOnline = false
        var power = DevicePower.inUse
        private var firstToken: Int32 = -1
        private var delivered: UInt32 = 0
        /// The properties that few devices have, in an array with at most one element: an empty array takes less memory than
        /// `Details`.
        private var details: [Details] = []

        init(id: String) { self.id = id }

        /// The indices of the valid tokens in the token table: one for each app and environment.
        var tokens: [Int] {
            (firstToken < 0 ? [] : [Int(firstToken)]) + (details.first?.tokens ?? []).map(Int.init)
        }

        var stored: [StoredPush] {
            get { details.first?.stored ?? [] }
            set { if !newValue.isEmpty || !details.isEmpty { detail { $0.stored = newValue } } }
        }

        /// The counts of all pushes to the device, by outcome.
        var tally: DeliveryTally {
            var tally = details.first?.tally ?? DeliveryTally()
            tally.add(delivered: Int(delivered))
            return tally
        }

        mutating func count(_ kind: DeviceEvent.Kind) {
            switch kind {
            case .delivered(late: false): delivered += 1
            case .delivered, .stored, .discarded: detail { $0.tally.count(kind) }
            default: break
            }
        }

        mutating func hold(_ place: Int) {
            if firstToken < 0 { firstToken = Int32(place) } else { detail { $0.tokens.append(Int32(place)) } }
        }

        mutating func drop(_ place: Int) {
            if Int(firstToken) == place { firstToken = -1 } else { detail { $0.tokens.removeAll { Int($0) == place } } }
        }

        /// Counts a background push against the budget of its app on this device.
        ///
        /// - Returns: `nil` if the push may be delivered now; otherwise the earliest time at which it may be delivered.
        mutating func throttle(
            _ bundleID: String, under budget: DeliveryRules.Budget, at now: Timestamp
        ) -> Timestamp? {
            detail { $0.throttles[bundleID, default: SlidingWindow()].admit(under: budget, at: now) }
        }

        private mutating func detail<Value>(_ change: (inout Details) -> Value) -> Value {
            if details.isEmpty { details.append(Details()) }
            return change(&details[0])
        }
    }
}
