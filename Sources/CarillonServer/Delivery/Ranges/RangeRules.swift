/// The rules that decide when a message's deliveries are kept as bitmaps, not in one database row for each device.
///
/// Each ``RangeChunk`` has the bitmaps of a range of devices with consecutive running numbers in the app, a bit for each device.
/// The rules also decide how many devices a range covers.
package struct RangeRules: Sendable, Hashable {
    /// The number of an app's devices above which the deliveries of a broadcast (a message to everyone or to a condition) are
    /// kept as bitmaps, a bit for each device.
    ///
    /// Up to this number, a broadcast has one database row for each device. Only confirmed devices count: those to whose token
    /// APNs has accepted a push.
    package var devices: Int
    /// The size of the smallest range of devices that one ``RangeChunk`` covers; at most 4096.
    ///
    /// Each device has a running number in its app; the smallest range has this many consecutive numbers. If a message is for few
    /// of the app's devices, its ranges are larger.
    package var chunkDevices: Int
    /// The number of devices that the store samples to estimate how many devices a message is addressed to.
    ///
    /// The sample is spread over all devices of the app. It is taken before the first ``RangeChunk`` of the message is
    /// created.
    package var sampledDevices: Int
    /// The greatest number of values of one property (locale, time zone or version) in an app that the database compares with a
    /// condition.
    ///
    /// In an app with more values, the store decides a condition in Swift, device by device and outside writing transactions.
    package var comparedValues: Int

    package init(
        devices: Int = DeliveryLimits.devicesWithRows, chunkDevices: Int = DeliveryLimits.chunkDevices,
        sampledDevices: Int = DeliveryLimits.sampledDevices, comparedValues: Int = DeliveryLimits.comparedValues
    ) {
        self.devices = devices
        self.chunkDevices = chunkDevices
        self.sampledDevices = sampledDevices
        self.comparedValues = comparedValues
    }

    /// Returns the size of the range of devices that each ``RangeChunk`` of a message covers.
    ///
    /// Each device has a running number in its app; a range has this many consecutive numbers. The fewer devices a message is
    /// addressed to, the larger the ranges.
    ///
    /// - Parameters:
    ///   - meant: the number of devices in the audience, among the ``sampledDevices`` that were sampled.
    ///   - factor: the greatest multiple of ``chunkDevices`` that a range may have, a power of two.
    ///   - expected: the greatest number of recipients that an enlarged range may have on average. The default, like any value
    ///     above ``chunkDevices``, counts as ``chunkDevices``.
    /// - Returns: the size, which is ``chunkDevices`` times a power of two.
    func chunkDevices(meant: Int, atMost factor: Int, expecting expected: Int = .max) -> Int {
        let expected = min(expected, chunkDevices)
        var times = 1
        while times < factor, meant * times * 2 * chunkDevices <= expected * sampledDevices { times *= 2 }
        return chunkDevices * times
    }
}
