import CarillonCore

/// The limits and intervals of the program `carillon`.
enum CommandLimits {
    // MARK: Sending

    /// The greatest number of pushes per second that an operator can set for an app; a greater number is an error.
    static let sendsPerSecond = 100_000

    /// The longest time, in seconds, that a command waits for a service's answer; after that time, the command fails.
    static let callSeconds = 60.0

    /// The greatest number of entries of a list that a command asks the service for in one call.
    static let entriesPerCall = 100

    /// The interval at which `carillon messages show --watch` asks the service about a message.
    static let watchInterval = Duration.seconds(1)
    /// The waits of `carillon tail` before it connects again.
    static let reconnecting = Backoff(first: .seconds(1), longest: .seconds(30))
    /// The longest time that 'webhooks test' waits for the endpoint's answer.
    static let webhookPatience = Duration.seconds(30)

    // MARK: Importing

    /// The number of bytes of the file that an import reads at a time.
    static let importPieceBytes = 1 << 20
    /// The interval at which the progress of an import is shown.
    static let importProgressInterval = Duration.milliseconds(200)

    // MARK: Serving

    /// The interval at which a running service checks whether its configuration file has changed.
    static let changedFileInterval = Duration.seconds(5)

    /// The time that `carillon serve --check` waits for an answer of APNs.
    static let checkDeadline = Duration.seconds(15)
    /// The free disk space, in MiB, below which `carillon serve --check` warns.
    static let scarceDisk: Int64 = 1024
    /// The greatest length of an API key's name.
    static let keyNameCharacters = 100

    /// The least difference between this machine's clock and APNs' clock, in seconds, at which `carillon serve --check` warns.
    static let clockTolerance: Int64 = 60
    /// The seconds that `carillon serve --check` waits for a running service.
    static let healthSeconds = 5.0
    /// The time before a certificate's expiry at which `carillon serve --check` begins to warn.
    static let soon = Duration.seconds(30 * 86_400)

    // MARK: Measurements

    /// The greatest number of notifications in progress in a measurement at a fixed rate (`--rate`).
    ///
    /// Notifications beyond this number wait, and their wait counts as latency.
    static let pacedSends = 50_000
    /// The number of random device tokens that a measurement makes if it has no list of tokens.
    ///
    /// It is equal to the default number of notifications.
    static let madeUpTokens = 100_000
    /// The number of bytes of a token file that a measurement reads at a time.
    static let tokenFilePiece = 64 << 10

    // MARK: The database

    /// The greatest number of set-aside deliveries that `carillon db check` lists.
    ///
    /// The service sets a delivery aside if its row in the database cannot be decoded. The command only counts further
    /// set-aside deliveries.
    static let setAsideShown = 100
}
