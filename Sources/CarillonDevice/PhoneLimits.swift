/// The limits and durations that the simulation chooses for itself, in one place.
///
/// iOS's own numbers, such as 30 seconds of background time, are in ``IOSLimits``. Numbers that a test can change are
/// properties of ``PhoneRules``.
@usableFromInline enum PhoneLimits {
    // MARK: lengths of lists; a full list drops its oldest entry

    /// The maximum number of records of each kind: sounds, opened URLs, device events, donations and ended calls.
    ///
    /// A further record replaces the oldest.
    static let records = 500
    /// The maximum number of entries in ``Phone/traces``; a further entry replaces the oldest.
    static let traces = 1000
    /// The maximum number of events in ``Phone/history``; a further event replaces the oldest.
    static let events = 4096
    /// The maximum number of delivered notifications that the phone keeps for one app; a further notification replaces the
    /// oldest.
    static let deliveredNotificationsPerApp = 512
    /// The number of launches and wakes by silent pushes that the phone remembers for one app, before it forgets the oldest.
    ///
    /// The number is higher than any useful ``PhoneRules/silentWakesPerHour``.
    static let wakesRemembered = 1000
    /// The number of unread changes that the phone keeps for each reader of ``Phone/changes``; a slower reader loses the
    /// oldest.
    static let unreadChanges = 1024

    // MARK: waiting, in real time

    /// The default time limit of ``Phone/until(_:within:_:)`` and ``Phone/settled(within:)``.
    @usableFromInline static let waitingTime = Duration.seconds(60)
    /// The length of the steps in which a ``PhoneTimeLimit`` counts down its real time; the last step may be shorter.
    static let waitingStep = Duration.seconds(1)
    /// The number of consecutive rounds of the main queue without other work after which the phone counts as settled.
    ///
    /// A round runs all blocks that are on the queue when the round begins. The rounds are needed for work that the phone cannot
    /// count: the apps' blocks on the main queue, and their tasks on the main actor.
    static let quietRounds = 4
    /// The number of consecutive rounds of the main queue without other work after which a phone with
    /// ``PhoneConfiguration/runsTasksInOrder`` counts as settled.
    ///
    /// A round runs all blocks that are on the queue when the round begins. The number is higher than ``quietRounds``, because
    /// the phone does not notice an app's task that waits for its next turn on the main actor.
    static let quietRoundsInOrder = 100

    /// The default of ``PhoneConfiguration/patience``.
    ///
    /// It is also the real time after which the phone checks again whether an app's queued blocks, sleeping tasks and network
    /// requests have ended.
    static let patience = Duration.seconds(1)

    /// The number of deadlines without passing time after which ``AppUnderTest/advance(by:)`` fails: one deadline leads to
    /// the next, and each has passed already.
    static let overdueSteps = 1000

    // MARK: the main queue

    /// The number of rounds of the main queue for which the phone reserves the queue for an app after it has called the app's
    /// code.
    ///
    /// A round runs all blocks that are on the queue when the round begins. Blocks of these rounds count as the app's code,
    /// because a block does not tell which app enqueued it.
    static let mainQueueHops = 4

    // MARK: the connection to a push service

    /// The pause before the phone reopens a broken connection to the simulator's admin port.
    static let reconnectPause = Duration.seconds(1)
    /// The size of one read from the connection to the simulator's admin port, in bytes.
    static let readBytes = 16_384
    /// The size of a line or an event, in bytes, at which the phone rejects a stream of server-sent events and reconnects.
    ///
    /// Every push fits: its payload has at most 5 KiB before JSON escapes.
    static let eventBytes = 1 << 20
    /// The length, in bytes, of a device token that the phone itself generates, because it has no ``PushLink``.
    ///
    /// Apps must not rely on the length of a token.
    static let tokenBytes = 32

    // MARK: reading

    /// The maximum number of files that the phone reads from an app's resource folder; it ignores further files.
    static let resourceFiles = 10_000

    /// The tolerance, in seconds, within which a new timer's remaining time counts as equal to the timer's interval.
    ///
    /// The tolerance covers the time between making a timer and adding it to the run loop.
    static let timerSlackSeconds = 0.05
    /// The longest wait of a timer, in seconds: about 300 years, the range of the clocks.
    ///
    /// A longer wait is shortened to this one.
    static let timerSeconds = 1e10
}
