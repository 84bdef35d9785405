/// The error that another sender has taken this one's leases over, after it stood still for a whole lease: it must join again.
package struct SenderEnded: Error, Sendable, Hashable {
    package init() {}
}
