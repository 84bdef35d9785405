import CarillonCore

/// A limit on the calls (HTTP requests) of each installation and each API key, and on the bytes in the requests' bodies.
///
/// The limiter counts by the credentials that a caller sends, before the store is read. So a caller with a wrong
/// secret does not use up the calls of the caller with the right secret.
package struct CallLimiter: Sendable {
    /// The greatest numbers of calls per second of one installation and of one API key; `nil` for no limit.
    package struct Limits: Sendable, Hashable {
        package var perInstallation: Int?
        package var perKey: Int?

        package init(perInstallation: Int?, perKey: Int?) {
            self.perInstallation = perInstallation
            self.perKey = perKey
        }

        /// The limits of a service that admits every call.
        package static let none = Limits(perInstallation: nil, perKey: nil)
        package static let standard = Limits(
            perInstallation: ServiceLimits.callsPerInstallation, perKey: ServiceLimits.callsPerKey)
    }

    /// A kind of caller: an installation, or a backend with an API key.
    private enum Caller: Sendable, Hashable {
        case installation, key

        init(_ credentials: Credentials) {
            switch credentials {
            case .installation: self = .installation
            case .key: self = .key
            }
        }
    }

    /// The token buckets of one kind of caller, by a hash of the caller's credentials.
    private struct Buckets: Sendable {
        var calls: RateBuckets<Int>
        var bytes: RateBuckets<Int>

        init(perSecond: Int, largestBody: Int) {
            let window = ServiceLimits.callWindow
            let seconds = Int(window.components.seconds)
            calls = RateBuckets(Rate(quota: perSecond * seconds, window: window), keys: ServiceLimits.countedCallers)
            let bytes = max(largestBody, perSecond * ServiceLimits.bytesPerCall * seconds)
            self.bytes = RateBuckets(Rate(quota: bytes, window: window), keys: ServiceLimits.countedCallers)
        }
    }

    private var buckets: [Caller: Buckets] = [:]

    init(_ limits: Limits) {
        buckets[.installation] = limits.perInstallation.map {
            Buckets(perSecond: $0, largestBody: ServiceLimits.appBodyBytes)
        }
        buckets[.key] = limits.perKey.map { Buckets(perSecond: $0, largestBody: ServiceLimits.backendBodyBytes) }
    }

    /// Admits and counts a call, unless its caller has reached a limit.
    ///
    /// - Parameters:
    ///   - credentials: the credentials that the caller sends.
    ///   - bytes: the size of the call's body.
    ///   - uptime: the present time on the monotonic clock.
    /// - Returns: `nil` if the call is admitted; otherwise the limit that was reached.
    mutating func admit(_ credentials: Credentials, bytes: Int, at uptime: Duration) -> CallRefusal? {
        let caller = Caller(credentials)
        guard let known = buckets[caller] else { return nil }
        let key = credentials.hashValue
        if let wait = known.calls.wait(for: 1, of: key, at: uptime) {
            return CallRefusal("calls", known.calls.rate, wait)
        }
        if let wait = known.bytes.wait(for: bytes, of: key, at: uptime) {
            return CallRefusal("bytes", known.bytes.rate, wait)
        }
        buckets[caller]?.calls.take(1, of: key, at: uptime)
        buckets[caller]?.bytes.take(bytes, of: key, at: uptime)
        return nil
    }
}

/// A limit that a caller has reached, with the time after which the caller may call again.
struct CallRefusal: Sendable, Hashable {
    /// The name of the reached limit: calls, bytes or registrations.
    var limit: String
    var rate: Rate
    /// The number of seconds after which the next call is admitted, rounded up.
    var seconds: Int

    init(_ limit: String, _ rate: Rate, _ wait: Duration) {
        (self.limit, self.rate) = (limit, rate)
        seconds = max(1, Int((wait.wholeMilliseconds + 999) / 1000))
    }
}
