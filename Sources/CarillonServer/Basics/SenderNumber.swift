/// A number that identifies a sender from its start until its end.
///
/// The number is unique within the store and never reused.
package struct SenderNumber: RawRepresentable, Sendable, Hashable {
    package var rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
}
