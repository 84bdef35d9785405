/// The bounds and times of `carillon`, in one place.
enum CommandLimits {
    // MARK: Sending

    /// The most pushes of an app in a second that can be asked for.
    static let sendsPerSecond = 100_000

    /// How long a command waits for the answer of a service, seconds.
    static let callSeconds = 60.0

    /// How often a message is asked for that is watched.
    static let watchInterval = Duration.seconds(1)

    // MARK: Importing

    /// Bytes of an imported file that are read at once.
    static let importPieceBytes = 1 << 20
    /// How often the progress of an import is shown.
    static let importProgressInterval = Duration.milliseconds(200)

    // MARK: Measurements

    /// Sends that may be in progress with a given rate; further ones wait, which counts as latency.
    static let pacedSends = 50_000
    /// Random tokens that are made: one for each notification of a measurement with the default count.
    static let madeUpTokens = 100_000
    /// Bytes of a list of tokens that are read at once.
    static let tokenFilePiece = 64 << 10

    // MARK: The database

    /// Deliveries that `carillon db check` lists; the rest is counted.
    static let setAsideShown = 100
}
