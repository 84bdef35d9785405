/// The error for a sender that stood still for a whole lease, so that another one took over its leases.
///
/// The sender must join again.
package struct SenderEnded: Error, Sendable, Hashable {
    package init() {}
}
