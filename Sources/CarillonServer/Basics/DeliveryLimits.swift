import CarillonCore

/// The limits and times of decisions about deliveries, texts and audiences.
///
/// Every part of the service may use these limits.
enum DeliveryLimits {
    // MARK: Words and audiences

    /// The greatest number of devices that an app may have for all its messages to get a row for each device.
    ///
    /// In an app with more devices, a message to everyone or to a condition is sent by ranges (``RangeRules``).
    static let devicesWithRows = 1000
    /// The greatest length of a user's id, in bytes of UTF-8.
    static let userIDBytes = 128
    /// The greatest length of a recall notice's title, in bytes of UTF-8.
    ///
    /// A notice with the longest title and body fits into any push.
    static let noticeTitleBytes = 200
    /// The greatest length of a recall notice's body, in bytes of UTF-8.
    static let noticeBodyBytes = 800
    /// The greatest number of characters of an unknown key that a problem quotes and compares with the known keys.
    static let quotedKeyCharacters = 64
    /// The width of a chunk for a message to most devices, in device ordinals.
    ///
    /// A store can use another width.
    static let chunkDevices = 4096
    /// The number of device ordinals sampled to estimate a message's audience.
    static let sampledDevices = 4096
    /// The number of stretches of consecutive ordinals that the sample consists of.
    static let sampledStretches = 8

    // MARK: Pushes

    /// The time that an assured message waits for the `shown` receipt of its silent push.
    ///
    /// The operator can set another value.
    static let assuredWait = Duration.seconds(60)
    /// The time that an assured message sent by ranges waits for `shown` receipts.
    ///
    /// It is longer than ``assuredWait``, because receipts of many devices come in gradually.
    static let broadcastAssuredWait = Duration.seconds(15 * 60)
    /// The number of consecutive unanswered silent pushes after which the visible push follows at once.
    static let silentPushesBeforeFallbackAtOnce = 3
    /// The greatest number of removals in one push.
    ///
    /// If a device has more removals, the push asks the device to fetch them.
    static let removalsPerPush = 20
    /// The greatest number of messages whose contents and encoded pushes are kept from one claim to the next.
    static let keptContents = 64
    /// The waits of a delivery after failures: 2 s at first, then doubled up to 15 minutes, which Apple advises for
    /// an outage.
    static let deliveryBackoff = Backoff(first: .seconds(2), longest: .seconds(15 * 60))
    /// The number of attempts without an answer after which a delivery is given up, so that the device does not alert
    /// again.
    static let unansweredAttempts = 5
    /// The number of tries after which a 410 retires a token even if the 410 is older than the token's registration.
    static let staleRejections = 3
    /// The longest time for which a delivery is tried; APNs itself keeps no push longer.
    static let deliveryLifetime = Duration.seconds(30 * 24 * 3600)

    // MARK: Pushes in flight

    /// The greatest number of a sender's pushes in flight, including pushes whose outcome is not stored yet.
    static let pushesInFlight = 1500
    /// The greatest number of pushes in flight of one app in one environment; other apps can always use the rest.
    static let pushesInFlightOfOneApp = 1100
    /// The time without any answer after which an endpoint counts as silent, if at least ``pushesWithoutAnswer``
    /// pushes wait.
    static let answerPatience = Duration.seconds(5)
    /// The least number of an app's pushes in flight that lets its endpoint count as silent.
    static let pushesWithoutAnswer = 100
    /// The number of places in flight that bulk pushes leave to single messages.
    static let placesForSingleMessages = 100
    /// The divisor of the places for bulk pushes: a sender claims bulk pushes only while 1/2 of these places are
    /// free.
    static let bulkParts = 2
    /// The greatest number of devices of a single message.
    ///
    /// A message to more devices is sent in a lane of its own, so that it does not delay single messages.
    static let singleMessageDevices = 100
    /// The greatest number of deliveries in one claim, and of outcomes that one call to the store stores.
    static let pushesTogether = 500
    /// The greatest number of bulk pushes in one claim while single messages go out.
    static let pushesBesideSingleMessages = 125
    /// The time after the last single message until bulk pushes are limited no longer.
    static let quietAfterSingleMessage = Duration.seconds(1)
    /// The least number of places for bulk pushes in flight beside single messages (``BulkPlaces``).
    static let leastBulkPlaces = 2 * pushesBesideSingleMessages
    /// The number of places for bulk pushes gained by an answer that has not waited behind others.
    static let bulkPlacesGained = 16
    /// The longest time that a push may wait behind bulk pushes before their number is reduced.
    static let longestWaitBehindBulk = Duration.milliseconds(10)
    /// The length of a period for which the fastest answer is remembered.
    static let fastestAnswerMemory = Duration.seconds(10)
    /// The longest time that a sender collects outcomes of bulk pushes before it stores them together.
    static let longestOutcomeWait = Duration.milliseconds(50)

    /// The least number of an app's answers from which the share of rejected tokens is known.
    static let answersThatTell = 20
    /// The number of an app's latest answers in which rejected tokens are counted.
    static let countedAnswers = 100
    /// The longest time for which a rejected token waits for more answers.
    static let rejectionPatience = Duration.seconds(2)

    // MARK: Senders

    /// The duration of a sender's leases.
    ///
    /// The operator can set another value.
    static let leaseDuration = Duration.seconds(60)
    /// The longest time that a push waits for its answer, however long the lease is.
    static let longestPushDeadline = Duration.seconds(15)
    /// The divisor of a lease's duration that gives the longest wait for an answer under that lease.
    static let deadlinesPerLease = 4
    /// Returns the longest time that a push waits for its answer.
    ///
    /// The sender hands no push to APNs when less than this time of its lease is left. So it never waits for an
    /// answer under a lease that another sender may have taken over.
    static func pushDeadline(underLease lease: Duration) -> Duration {
        min(longestPushDeadline, lease / deadlinesPerLease)
    }
    /// The longest time for which a sender that was asked to end waits for answers and for its store.
    static let drainPatience = Duration.seconds(5)
    /// The number of heartbeats that a sender makes in a lease's duration.
    static let beatsPerLease = 5
    /// The greatest number of heartbeat intervals that one look at another sender counts as missed, even after a long
    /// pause.
    static let beatsPerLook = 2
    /// The interval at which a worker looks for work that another process accepted.
    ///
    /// The operator can set another value.
    static let pollInterval = Duration.seconds(1)
    /// The time that a sender waits before it repeats work that failed in the store.
    static let storeFailureWait = Duration.seconds(1)

    // MARK: Apps that cannot send

    /// The time after APNs refused an app's credential until one delivery probes whether it works again.
    static let credentialProbeInterval = Duration.seconds(5 * 60)
    /// The time after an app's pushes failed to reach APNs until one delivery probes whether APNs can be reached
    /// again.
    static let unreachableProbeInterval = Duration.seconds(10)
    /// The time for which all of an app's pushes may fail before the service stops sending them and raises an alarm.
    static let sendingPatience = Duration.seconds(60)
    /// The interval at which the service looks again for an app's missing credential.
    static let missingCredentialInterval = Duration.seconds(5)
}
