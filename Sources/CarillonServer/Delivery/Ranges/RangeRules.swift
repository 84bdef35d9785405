/// The rules that decide when a message is sent as ranges of devices, and how many devices a range covers.
///
/// A message sent as ranges of devices has no database row for each device. Its deliveries are stored as bits: one
/// ``RangeChunk`` stores the deliveries of a range of consecutive devices, by their running numbers in the app.
package struct RangeRules: Sendable, Hashable {
    /// The greatest number of an app's confirmed devices for which a broadcast gets one row for each device.
    ///
    /// In an app with more devices, a message to everyone or to a condition is sent as ranges of devices.
    package var devices: Int
    /// The size of the range of devices that one ``RangeChunk`` covers, for a message to most devices; at most 4096.
    ///
    /// Each device has a running number in its app, and the size counts these numbers.
    package var chunkDevices: Int
    /// The number of devices that the store samples to estimate how many devices a message is addressed to.
    ///
    /// The sample is spread over all devices of the app. It is taken before the first ``RangeChunk`` of the message is
    /// created.
    package var sampledDevices: Int

    package init(
        devices: Int = DeliveryLimits.devicesWithRows, chunkDevices: Int = DeliveryLimits.chunkDevices,
        sampledDevices: Int = DeliveryLimits.sampledDevices
    ) {
        self.devices = devices
        self.chunkDevices = chunkDevices
        self.sampledDevices = sampledDevices
    }

    /// Returns the size of the range of devices that each ``RangeChunk`` of a message covers.
    ///
    /// Each device has a running number in its app, and the size counts these numbers. The fewer devices a message is
    /// addressed to, the larger the ranges.
    ///
    /// - Parameters:
    ///   - meant: the number of devices in the audience, among the ``sampledDevices`` that were sampled.
    ///   - factor: the greatest number, a power of two, by which ``chunkDevices`` may be multiplied.
    ///   - expected: the number of expected recipients beyond which a range must not grow. The default is
    ///     ``chunkDevices``.
    /// - Returns: the size, which is ``chunkDevices`` times a power of two.
    func chunkDevices(meant: Int, atMost factor: Int, expecting expected: Int = .max) -> Int {
        let expected = min(expected, chunkDevices)
        var times = 1
        while times < factor, meant * times * 2 * chunkDevices <= expected * sampledDevices { times *= 2 }
        return chunkDevices * times
    }
}
