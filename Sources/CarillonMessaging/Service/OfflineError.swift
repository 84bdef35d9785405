/// The phone has no network at this moment.
package struct OfflineError: Error, Sendable, Hashable, CustomStringConvertible {
    package init() {}
    package var description: String { "this phone is offline" }
}
