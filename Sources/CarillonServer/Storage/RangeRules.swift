/// When a message is sent by ranges, and how they are cut.
package struct RangeRules: Sendable, Hashable {
    /// A message to everyone, or to those on whom a condition holds, that is for more devices than this.
    package var devices: Int
    /// Ordinals of a chunk, at most 65,536.
    package var chunkDevices: Int

    package init(devices: Int = ServiceLimits.audienceDevices, chunkDevices: Int = ServiceLimits.chunkDevices) {
        self.devices = devices
        self.chunkDevices = chunkDevices
    }
}
