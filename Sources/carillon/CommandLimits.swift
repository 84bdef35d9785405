/// The limits and intervals of `carillon`, in one place.
enum CommandLimits {
    // MARK: Sending

    /// The most pushes in a second that may be configured for an app.
    static let sendsPerSecond = 100_000

    /// The time that a command waits for the answer of a service, in seconds.
    static let callSeconds = 60.0

    /// The interval at which a watched message is queried.
    static let watchInterval = Duration.seconds(1)

    // MARK: Importing

    /// The number of bytes of an imported file that are read at once.
    static let importPieceBytes = 1 << 20
    /// The interval at which the progress of an import is shown.
    static let importProgressInterval = Duration.milliseconds(200)

    // MARK: Measurements

    /// The most sends in progress with a given rate; further ones wait, which counts as latency.
    static let pacedSends = 50_000
    /// The number of random tokens made: one for each notification of a measurement with the default count.
    static let madeUpTokens = 100_000
    /// The number of bytes of a list of tokens that are read at once.
    static let tokenFilePiece = 64 << 10

    // MARK: The database

    /// The most deliveries that `carillon db check` lists; it counts the rest.
    static let setAsideShown = 100
}
