import CarillonCore

extension LocalTimeReport {
    /// Makes the report on a schedule.
    ///
    /// - Parameters:
    ///   - schedule: the rules of the message.
    ///   - waits: the number of devices that wait, by their moment.
    init(_ schedule: LocalSchedule, waits: [Timestamp: Int]) {
        self.init(
            local: schedule.time, fallback: schedule.fallback ?? Self.skipWord,
            passed: schedule.skipsPassed ? Self.skipWord : Self.sendWord,
            waits: waits.sorted { $0.key < $1.key }.map { at, devices in
                Wait(at: at, offset: Self.offset(schedule.time.inUTC - at), devices: devices)
            })
    }

    private static func offset(_ ahead: Duration) -> String {
        let minutes = abs(ahead.components.seconds) / 60
        let (hours, rest) = (String(100 + minutes / 60).dropFirst(), String(100 + minutes % 60).dropFirst())
        return "\(ahead < .zero ? "-" : "+")\(hours):\(rest)"
    }
}
