/// The number of one run of one sending process within the store; never reused.
package struct SenderNumber: RawRepresentable, Sendable, Hashable {
    package var rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
}
