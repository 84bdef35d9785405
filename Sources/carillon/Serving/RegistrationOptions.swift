import ArgumentParser
import CarillonServer

/// The options that limit the registration of new installations, which is open to anybody.
struct RegistrationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "New installations that one address may register in a minute; 0 for no limit.", valueName: "n"))
    var registrationsPerAddress = RegistrationLimiter.Limits.standard.perAddress ?? 0

    @Option(
        help: ArgumentHelp("New installations that each app takes in a minute; 0 for no limit.", valueName: "n"))
    var registrationsPerApp = RegistrationLimiter.Limits.standard.perApp ?? 0

    @Option(
        help: ArgumentHelp(
            "The address of a proxy before the service, or a network of proxies such as 10.0.0.0/8, whose X-Forwarded-For is believed; can be repeated.",
            valueName: "address"),
        transform: { try AddressRange($0) })
    var trustedProxy: [AddressRange] = []

    var limits: RegistrationLimiter.Limits {
        RegistrationLimiter.Limits(
            perAddress: registrationsPerAddress == 0 ? nil : registrationsPerAddress,
            perApp: registrationsPerApp == 0 ? nil : registrationsPerApp)
    }

    func validate() throws {
        guard registrationsPerAddress >= 0, registrationsPerApp >= 0 else {
            throw ValidationError("--registrations-per-address and --registrations-per-app are 0 or more")
        }
    }
}
