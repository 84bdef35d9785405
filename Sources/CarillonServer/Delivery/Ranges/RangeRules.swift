/// The rules that decide when a message is sent by ranges, and how wide its chunks are.
///
/// The deliveries of a range-sent message are stored as bits, in chunks of consecutive ordinals of devices (``RangeChunk``),
/// and not as one row for each device.
package struct RangeRules: Sendable, Hashable {
    /// The number of confirmed devices above which an app sends by ranges to everyone or by a condition.
    package var devices: Int
    /// The width of a chunk in ordinals for a message that is for most devices, at most 4096.
    package var chunkDevices: Int
    /// The number of ordinals, spread over all, that are sampled to estimate a message's audience before it is cut into chunks.
    package var sampledDevices: Int

    package init(
        devices: Int = DeliveryLimits.devicesWithRows, chunkDevices: Int = DeliveryLimits.chunkDevices,
        sampledDevices: Int = DeliveryLimits.sampledDevices
    ) {
        self.devices = devices
        self.chunkDevices = chunkDevices
        self.sampledDevices = sampledDevices
    }

    /// Returns the width of a chunk in ordinals: the smaller the message's audience, the wider the chunk.
    ///
    /// - Parameters:
    ///   - meant: the number of the ``sampledDevices`` that are in the audience.
    ///   - factor: the greatest multiple of ``chunkDevices``, a power of two.
    ///   - expected: the greatest number of recipients to expect in a wider chunk. The default is ``chunkDevices``.
    /// - Returns: a power of two times ``chunkDevices``.
    func chunkDevices(meant: Int, atMost factor: Int, expecting expected: Int = .max) -> Int {
        let expected = min(expected, chunkDevices)
        var times = 1
        while times < factor, meant * times * 2 * chunkDevices <= expected * sampledDevices { times *= 2 }
        return chunkDevices * times
    }
}
