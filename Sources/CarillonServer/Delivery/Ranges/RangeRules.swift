/// Decides when a message is sent by ranges, and how wide its chunks are.
///
/// A message sent by ranges has no row for each device. Its deliveries are bits in chunks of consecutive device
/// ordinals (``RangeChunk``).
package struct RangeRules: Sendable, Hashable {
    /// The number of confirmed devices of an app above which a message to everyone, or to a condition, is sent by
    /// ranges.
    package var devices: Int
    /// The width of a chunk for a message to most devices, in device ordinals; at most 4096.
    package var chunkDevices: Int
    /// The number of device ordinals sampled to estimate a message's audience, before the audience is cut into
    /// chunks.
    ///
    /// The sample is spread over all ordinals.
    package var sampledDevices: Int

    package init(
        devices: Int = DeliveryLimits.devicesWithRows, chunkDevices: Int = DeliveryLimits.chunkDevices,
        sampledDevices: Int = DeliveryLimits.sampledDevices
    ) {
        self.devices = devices
        self.chunkDevices = chunkDevices
        self.sampledDevices = sampledDevices
    }

    /// Returns the width of a chunk in ordinals.
    ///
    /// A message to fewer devices gets wider chunks.
    ///
    /// - Parameters:
    ///   - meant: the number of devices in the audience, among the ``sampledDevices`` that were sampled.
    ///   - factor: the greatest power of two by which ``chunkDevices`` may be multiplied.
    ///   - expected: the greatest expected number of recipients in a widened chunk. The default is ``chunkDevices``.
    /// - Returns: the width, which is ``chunkDevices`` times a power of two.
    func chunkDevices(meant: Int, atMost factor: Int, expecting expected: Int = .max) -> Int {
        let expected = min(expected, chunkDevices)
        var times = 1
        while times < factor, meant * times * 2 * chunkDevices <= expected * sampledDevices { times *= 2 }
        return chunkDevices * times
    }
}
