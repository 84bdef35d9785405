import Foundation

/// The limits on the number of connections that are open at once.
package struct ConnectionLimits: Sendable, Hashable {
    /// The greatest number of open connections in all.
    package var all: Int
    /// The greatest number of open connections from one address.
    package var perAddress: Int

    package init(all: Int = ServiceLimits.connections, perAddress: Int = ServiceLimits.connectionsPerAddress) {
        (self.all, self.perAddress) = (all, perAddress)
    }

    /// Returns these limits, lowered to the number of file descriptors that the process can use for connections.
    ///
    /// The function first raises the process's soft limit on descriptors as far as needed and allowed.
    func withinDescriptors() -> ConnectionLimits {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return self }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = min(limit.rlim_max, rlim_t(all + ServiceLimits.otherDescriptors))
            if raised.rlim_cur > limit.rlim_cur,
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0
            {
                limit = raised
            }
        }
        let free = Int(clamping: limit.rlim_cur) - ServiceLimits.otherDescriptors
        return ConnectionLimits(all: max(1, min(all, free)), perAddress: perAddress)
    }
}
