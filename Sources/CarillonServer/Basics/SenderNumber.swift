/// One run of one sending process, as the store knows it; never used again.
package struct SenderNumber: RawRepresentable, Sendable, Hashable {
    package var rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
}
