/// The phone's own limits and times, in one place; none of them is a number of iOS.
///
/// iOS's numbers, such as 30 seconds of background time, are in ``IOSLimits``; numbers that a test can change are properties of
/// ``PhoneRules``.
@usableFromInline enum PhoneLimits {
    // MARK: limits of lists; the oldest entry is dropped

    /// The most records of each kind: sounds, opened URLs, haptics and donations.
    static let records = 500
    /// The most entries of ``Phone/traces``.
    static let traces = 1000
    /// The most events of ``Phone/history``.
    static let events = 4096
    /// The most notifications in one app's list.
    static let deliveredNotificationsPerApp = 512
    /// The most silent wakes of an app that are remembered: more than any budget allows within an hour.
    static let wakesRemembered = 1000
    /// The most changes by which a reader of ``Phone/changes`` may be behind.
    static let unreadChanges = 1024

    // MARK: waiting, in real time

    /// The time limit of ``Phone/until(_:within:_:)`` and ``Phone/settled(within:)``.
    @usableFromInline static let waitingTime = Duration.seconds(60)
    /// The longest step of a ``PhoneTimeLimit``.
    static let waitingStep = Duration.seconds(1)
    /// The number of idle rounds of the main queue after which the phone counts as settled.
    ///
    /// The phone cannot count the apps' own work on the main queue: their blocks, and the steps of their tasks on the main
    /// actor. A round takes a microsecond.
    static let quietRounds = 4
    /// The number of such rounds when tasks run in order.
    ///
    /// It is higher, because a task of an app may be invisible between two of its steps on the main actor.
    static let quietRoundsInOrder = 100

    /// The default of ``PhoneConfiguration/patience``, and the interval of checks for work that waits for real time.
    static let patience = Duration.seconds(1)

    // MARK: the main queue

    /// The longest chain of blocks, each put on the main queue by the previous one, whose blocks still find their phone.
    static let mainQueueHops = 4

    // MARK: the connection to a push service

    /// The pause before a broken connection to the simulator's admin port is opened again.
    static let reconnectPause = Duration.seconds(1)
    /// The size of one read from the connection, in bytes.
    static let readBytes = 16_384
    /// The longest line of the event stream, and the longest event, in bytes.
    ///
    /// No push is longer: at most 5 KiB of payload, possibly escaped.
    static let eventBytes = 1 << 20
    /// The length of a device token that the phone generates without a link, in bytes.
    ///
    /// Apps must not rely on any length.
    static let tokenBytes = 32

    // MARK: reading

    /// The most files in an app's folder of resources.
    static let resourceFiles = 10_000

    /// The largest difference, in seconds, between a timer's remaining time and its interval at which both count as equal.
    ///
    /// It allows for the time that passes between making a timer and adding it to the run loop.
    static let timerSlackSeconds = 0.05
    /// The longest wait of a timer, in seconds; clocks cannot count further.
    static let timerSeconds = 1e10
}
