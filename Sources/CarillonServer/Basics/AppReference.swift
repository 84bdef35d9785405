/// A reference to an app: its number within the store, and its topic.
package struct AppReference: Sendable, Hashable {
    package var number: AppNumber
    /// The app's bundle id.
    package var topic: String
}

/// An app's number within one store.
///
/// The number has its own type, so that the compiler rejects any other number in its place.
package struct AppNumber: RawRepresentable, Sendable, Hashable {
    package var rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
}
