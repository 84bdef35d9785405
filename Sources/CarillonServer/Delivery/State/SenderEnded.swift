/// Another sender has taken this one's leases over, because it stood still for a whole lease: it must join again.
package struct SenderEnded: Error, Sendable, Hashable {
    package init() {}
}
