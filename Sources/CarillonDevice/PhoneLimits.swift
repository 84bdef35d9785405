/// The phone's own bounds and times, in one place; none of them is a number of iOS.
///
/// iOS's numbers, such as 30 seconds of background time, are in ``IOSLimits``; those that a test can change are
/// properties of ``PhoneRules``.
@usableFromInline enum PhoneLimits {
    // MARK: what is kept, the oldest going first

    /// Sounds, opened URLs, haptics and donations, of each.
    static let records = 500
    /// Entries of ``Phone/traces``.
    static let traces = 1000
    /// Events of ``Phone/history``.
    static let events = 4096
    /// Notifications in one app's list.
    static let deliveredNotificationsPerApp = 512
    /// Wakes by silent pushes that are remembered of one app: more than any budget allows within an hour.
    static let wakesRemembered = 1000
    /// Changes that a reader of ``Phone/changes`` may be behind.
    static let unreadChanges = 1024

    // MARK: waiting, in real time

    /// How long ``Phone/until(_:within:_:)`` and ``Phone/settled(within:)`` wait.
    @usableFromInline static let waitingTime = Duration.seconds(60)
    /// How often nothing may come of going round the main queue before the phone counts as settled.
    ///
    /// What apps put there is not counted: their blocks, and what their tasks do on the main actor. A round costs a
    /// microsecond.
    static let quietRounds = 4
    /// The number of such rounds when tasks run in order.
    ///
    /// It is higher, because a task of an app may be invisible between two of its steps on the main actor.
    static let quietRoundsInOrder = 100

    /// The default of ``PhoneConfiguration/patience``, and how often the phone looks again at what waits for real time.
    static let patience = Duration.seconds(1)

    // MARK: the main queue

    /// How often what a callback put on the main queue may put something there itself and still find its phone.
    static let mainQueueHops = 4

    // MARK: the connection to a push service

    /// How long a broken connection to the simulator's admin port stays broken.
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

    /// Files in an app's folder of resources.
    static let resourceFiles = 10_000

    /// Keys of one payload that cannot be read before all of it is given up.
    static let unreadableKeys = 16
    /// How far a timer's first date may be off its interval, in seconds: the moment that passes until the run loop has
    /// it.
    static let timerSlackSeconds = 0.05
    /// The longest that a timer waits, in seconds: no clock counts further.
    static let timerSeconds = 1e10
}
