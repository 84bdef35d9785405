/// The phone's own bounds and times, in one place; none of them is a number of iOS.
///
/// iOS's numbers, such as 30 seconds of background time, are in ``IOSLimits``; those that a test can change are
/// properties of ``PhoneRules``.
@usableFromInline enum PhoneLimits {
    // MARK: what is kept, the oldest going first

    /// The number of records of each kind: sounds, opened URLs, haptics and donations.
    static let records = 500
    /// The number of entries of ``Phone/traces``.
    static let traces = 1000
    /// The number of events of ``Phone/history``.
    static let events = 4096
    /// The number of notifications in one app's list.
    static let deliveredNotificationsPerApp = 512
    /// The number of an app's silent wakes that are remembered: more than any budget allows within an hour.
    static let wakesRemembered = 1000
    /// The number of changes that a reader of ``Phone/changes`` may be behind.
    static let unreadChanges = 1024

    // MARK: waiting, in real time

    /// The time limit of ``Phone/until(_:within:_:)`` and ``Phone/settled(within:)``.
    @usableFromInline static let waitingTime = Duration.seconds(60)
    /// The number of idle rounds of the main queue after which the phone counts as settled.
    ///
    /// The work of apps on the main queue cannot be counted: their blocks, and the steps of their tasks on the main actor. A
    /// round costs a microsecond.
    static let quietRounds = 4
    /// The number of such rounds when tasks run in order.
    ///
    /// It is higher, because a task of an app may be invisible between two of its steps on the main actor.
    static let quietRoundsInOrder = 100

    /// The default of ``PhoneConfiguration/patience``, and how often the phone looks again at what waits for real time.
    static let patience = Duration.seconds(1)

    // MARK: the main queue

    /// The length of a chain of blocks, each put on the main queue by the one before, that still find their phone.
    static let mainQueueHops = 4

    // MARK: the connection to a push service

    /// The pause before a broken connection to the simulator's admin port is opened again.
    static let reconnectPause = Duration.seconds(1)
    /// The size of one read from the connection, in bytes.
    static let readBytes = 16_384
    /// A line of the event stream, and the lines of one event together, bytes.
    ///
    /// No push is longer: 5 KiB of payload, escaped at worst.
    static let eventBytes = 1 << 20
    /// A device token that the phone makes up when it has no link, bytes.
    ///
    /// Apps must not count on any length.
    static let tokenBytes = 32

    // MARK: reading

    /// The number of files in an app's folder of resources.
    static let resourceFiles = 10_000

    /// The tolerance for a timer's first date against its interval, in seconds: the time until the run loop has the timer.
    static let timerSlackSeconds = 0.05
    /// The longest that a timer waits, in seconds: no clock counts further.
    static let timerSeconds = 1e10
}
