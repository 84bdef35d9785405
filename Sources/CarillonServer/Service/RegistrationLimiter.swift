import CarillonCore

/// Counts new installations, and refuses those that exceed a number per minute from one address or for one app.
package struct RegistrationLimiter: Sendable {
    /// The greatest numbers of new installations per minute; `nil` for no limit.
    package struct Limits: Sendable, Hashable {
        package var perAddress: Int?
        package var perApp: Int?

        package init(perAddress: Int?, perApp: Int?) {
            self.perAddress = perAddress
            self.perApp = perApp
        }

        /// The limits of a service that admits every new installation.
        package static let none = Limits(perAddress: nil, perApp: nil)
        package static let standard = Limits(
            perAddress: ServiceLimits.registrationsPerAddress, perApp: ServiceLimits.registrationsPerApp)
    }

    /// The networks; `nil` stands for all clients whose address is unknown.
    private var addresses: RateBuckets<IPAddress?>?
    private var apps: RateBuckets<AppNumber>?

    init(_ limits: Limits) {
        addresses = limits.perAddress.map {
            RateBuckets(Rate(quota: $0, window: .seconds(60)), keys: ServiceLimits.countedAddresses)
        }
        apps = limits.perApp.map { RateBuckets(Rate(quota: $0, window: .seconds(60)), keys: .max) }
    }

    /// Counts a request for a new installation.
    ///
    /// Addresses of one network (``IPAddress/network``) count together, and so do all clients whose address is unknown.
    ///
    /// - Returns: `nil` if the request is admitted; otherwise the limit that was reached and the time to wait.
    mutating func admit(from address: IPAddress?, to app: AppNumber, at uptime: Duration) -> Refusal? {
        let network = address?.network
        if let addresses, let wait = addresses.wait(for: 1, of: network, at: uptime) {
            return Refusal(CallRefusal("registrations", addresses.rate, wait), isOfAddress: true)
        }
        if let apps, let wait = apps.wait(for: 1, of: app, at: uptime) {
            return Refusal(CallRefusal("registrations", apps.rate, wait), isOfAddress: false)
        }
        apps?.take(1, of: app, at: uptime)
        addresses?.take(1, of: network, at: uptime)
        return nil
    }

    struct Refusal: Sendable, Hashable {
        var call: CallRefusal
        /// Whether the limit of one address was reached; false if the limit of the app was reached.
        var isOfAddress: Bool

        init(_ call: CallRefusal, isOfAddress: Bool) { (self.call, self.isOfAddress) = (call, isOfAddress) }
    }
}
