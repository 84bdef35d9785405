/// The number of one run of a sending process, unique within the store and never reused.
package struct SenderNumber: RawRepresentable, Sendable, Hashable {
    package var rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
}
