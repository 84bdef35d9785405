/// The rules that decide when a message is sent as ranges of devices, and how many devices a chunk covers.
///
/// A message sent as ranges of devices has no row for each device. Its deliveries are stored as bits, in a ``RangeChunk`` for
/// each range of consecutive device ordinals (running numbers in the app).
package struct RangeRules: Sendable, Hashable {
    /// The greatest number of an app's confirmed devices for which a broadcast gets one row for each device.
    ///
    /// In an app with more devices, a message to everyone or to a condition is sent as ranges of devices.
    package var devices: Int
    /// The number of consecutive device ordinals (running numbers in the app) that a ``RangeChunk`` of a message to most devices
    /// covers; at most 4096.
    package var chunkDevices: Int
    /// The number of device ordinals (running numbers in the app) at which the store counts devices to estimate an audience.
    ///
    /// The sample is spread over all ordinals. It is taken before the first ``RangeChunk`` of the message is created.
    package var sampledDevices: Int

    package init(
        devices: Int = DeliveryLimits.devicesWithRows, chunkDevices: Int = DeliveryLimits.chunkDevices,
        sampledDevices: Int = DeliveryLimits.sampledDevices
    ) {
        self.devices = devices
        self.chunkDevices = chunkDevices
        self.sampledDevices = sampledDevices
    }

    /// Returns the number of consecutive device ordinals (running numbers in the app) that each ``RangeChunk`` of a message
    /// covers.
    ///
    /// The fewer devices a message has, the more ordinals a chunk covers.
    ///
    /// - Parameters:
    ///   - meant: the number of devices in the audience, among the ``sampledDevices`` that were sampled.
    ///   - factor: the greatest number, a power of two, by which ``chunkDevices`` may be multiplied.
    ///   - expected: the number of expected recipients beyond which a chunk must not grow. The default is ``chunkDevices``.
    /// - Returns: the number of ordinals, which is ``chunkDevices`` times a power of two.
    func chunkDevices(meant: Int, atMost factor: Int, expecting expected: Int = .max) -> Int {
        let expected = min(expected, chunkDevices)
        var times = 1
        while times < factor, meant * times * 2 * chunkDevices <= expected * sampledDevices { times *= 2 }
        return chunkDevices * times
    }
}
