/// When a message is sent by ranges, and how they are cut.
package struct RangeRules: Sendable, Hashable {
    /// An app that has had more devices confirmed than this sends to everyone, or by a condition, by ranges.
    package var devices: Int
    /// Ordinals of a chunk of a message that is for most of them, at most 4096.
    package var chunkDevices: Int
    /// Of how many ordinals it is asked how many a message is for, before it is cut; they are spread over all.
    package var sampledDevices: Int

    package init(
        devices: Int = ServiceLimits.devicesWithRows, chunkDevices: Int = ServiceLimits.chunkDevices,
        sampledDevices: Int = ServiceLimits.sampledDevices
    ) {
        self.devices = devices
        self.chunkDevices = chunkDevices
        self.sampledDevices = sampledDevices
    }

    /// Ordinals of a chunk of a message that is for some of those that were asked: the fewer it is for, the more.
    ///
    /// - Parameters:
    ///   - meant: how many of ``sampledDevices`` it is for.
    ///   - factor: how many times ``chunkDevices`` at most, a power of two.
    ///   - expected: how many of those it is for are to be expected in a wider one at most. The default is ``chunkDevices``.
    /// - Returns: a power of two times ``chunkDevices``.
    func chunkDevices(meant: Int, atMost factor: Int, expecting expected: Int = .max) -> Int {
        let expected = min(expected, chunkDevices)
        var times = 1
        while times < factor, meant * times * 2 * chunkDevices <= expected * sampledDevices { times *= 2 }
        return chunkDevices * times
    }
}
