import CarillonCore

/// The limits and times of decisions about deliveries, texts and audiences.
///
/// Every folder may use them.
enum DeliveryLimits {
    // MARK: Words and audiences

    /// The number of devices of an app up to which every message has a row for each device.
    ///
    /// In a larger app, messages to everyone or with a condition are sent by ranges.
    static let devicesWithRows = 1000
    /// The greatest length of a user's id, in bytes of UTF-8.
    static let userIDBytes = 128
    /// The greatest lengths of a recall notice's title and body, in bytes of UTF-8.
    ///
    /// A notice of that size fits into any push.
    static let noticeTitleBytes = 200
    static let noticeBodyBytes = 800
    /// The greatest length of an unknown key, in characters, that a problem quotes and compares with the known keys.
    static let quotedKeyCharacters = 64
    /// The width of a chunk, in ordinals, for a message to most devices.
    ///
    /// A store can use another width.
    static let chunkDevices = 4096
    /// The number of ordinals sampled to estimate a message's audience, and the number of stretches that contain them.
    static let sampledDevices = 4096
    static let sampledStretches = 8

    // MARK: Pushes

    /// The time for which an assured message waits for the `shown` receipt of its silent push.
    ///
    /// The operator can set another value.
    static let assuredWait = Duration.seconds(60)
    /// The time for which a range-sent assured message waits for `shown` receipts.
    ///
    /// It is longer than ``assuredWait``, because receipts of many devices come in gradually.
    static let broadcastAssuredWait = Duration.seconds(15 * 60)
    /// The number of consecutive unanswered silent pushes after which the visible push follows at once.
    static let silentPushesBeforeFallbackAtOnce = 3
    /// The greatest number of removals in one push.
    ///
    /// With more, the push asks the device to sync.
    static let removalsPerPush = 20
    /// The number of messages whose contents and encoded pushes are kept from one claim to the next.
    static let keptContents = 64
    /// The waits of a delivery after failures: 2 s at first, doubled up to the 15 minutes that Apple advises for an outage.
    static let deliveryBackoff = Backoff(first: .seconds(2), longest: .seconds(15 * 60))
    /// The number of attempts without an answer after which a delivery is given up, so that it cannot alert again.
    static let unansweredAttempts = 5
    /// The number of tries after which a 410 counts even if its timestamp is older than the token's registration.
    static let staleRejections = 3
    /// The longest time for which a delivery is tried; APNs itself keeps no push for longer.
    static let deliveryLifetime = Duration.seconds(30 * 24 * 3600)

    // MARK: Pushes in flight

    /// The greatest number of a sender's pushes in flight, including those whose outcome is not stored yet.
    static let pushesInFlight = 1500
    /// The number of places among them that one app may have in one environment; the rest is always left to others.
    static let pushesInFlightOfOneApp = 1100
    /// The time for which an endpoint may answer none of an app's pushes, and the number of pushes in flight from which that
    /// matters.
    static let answerPatience = Duration.seconds(5)
    static let pushesWithoutAnswer = 100
    /// The places in flight that bulk pushes leave to single messages.
    static let placesForSingleMessages = 100
    /// The divisor of bulk's places: 1/2 of them must be free before bulk pushes are claimed.
    static let bulkParts = 2
    /// The greatest number of devices of a single message.
    ///
    /// A message to more devices is sent beside single messages, not before them.
    static let singleMessageDevices = 100
    /// The greatest number of deliveries in one claim, and of outcomes in one call that stores them.
    static let pushesTogether = 500
    /// The limits of bulk pushes while single messages go out: how many a claim takes, and how long the limit outlasts them.
    static let pushesBesideSingleMessages = 125
    static let quietAfterSingleMessage = Duration.seconds(1)
    /// The limits on bulk pushes in flight beside single messages (``BulkPlaces``).
    ///
    /// The first is the number of places that bulk pushes always keep. The second is the number of places gained by an answer
    /// that has not waited. The third is the longest wait of a single message. The last is the time for which the fastest
    /// answer is remembered.
    static let leastBulkPlaces = 2 * pushesBesideSingleMessages
    static let bulkPlacesGained = 16
    static let longestWaitBehindBulk = Duration.milliseconds(10)
    static let fastestAnswerMemory = Duration.seconds(10)
    /// The longest time for which outcomes of bulk pushes are collected before they are stored together.
    static let longestOutcomeWait = Duration.milliseconds(50)

    /// The number of an app's answers from which the share of rejected tokens tells something, the number that is counted, and
    /// the time for which a rejection waits for others.
    static let answersThatTell = 20
    static let countedAnswers = 100
    static let rejectionPatience = Duration.seconds(2)

    // MARK: Senders

    /// The duration of a sender's leases.
    ///
    /// The operator can set another value.
    static let leaseDuration = Duration.seconds(60)
    /// The longest time for which a push waits for its answer, and the part of a lease that it may wait for, as a divisor.
    static let longestPushDeadline = Duration.seconds(15)
    static let deadlinesPerLease = 4
    /// Returns the time for which a push waits for its answer.
    ///
    /// It is the time before a lease's end in which no push is handed to APNs, too: so no answer is waited for under a lease that
    /// another sender may have taken over.
    static func pushDeadline(underLease lease: Duration) -> Duration {
        min(longestPushDeadline, lease / deadlinesPerLease)
    }
    /// The time for which a sender that is to end waits for answers, and for its store to take outcomes.
    static let drainPatience = Duration.seconds(5)
    /// The number of heartbeats that a sender makes during one lease.
    static let beatsPerLease = 5
    /// The greatest number of missed heartbeats that one look at another sender counts, even after a long pause.
    static let beatsPerLook = 2
    /// The interval at which a worker looks for work that another process accepted.
    ///
    /// The operator can set another value.
    static let pollInterval = Duration.seconds(1)
    /// The time for which the worker waits after a failure of the store.
    static let storeFailureWait = Duration.seconds(1)

    // MARK: Apps that cannot send

    /// The time for which an app stays stopped after APNs refused its credential, before one delivery probes it.
    static let credentialProbeInterval = Duration.seconds(5 * 60)
    /// The time for which an app whose pushes do not reach APNs stays stopped, before one delivery probes it.
    static let unreachableProbeInterval = Duration.seconds(10)
    /// The time for which all of an app's pushes may fail before its sending stops with an alarm.
    static let sendingPatience = Duration.seconds(60)
    /// The interval at which the service looks again for an app's missing credential.
    static let missingCredentialInterval = Duration.seconds(5)
}
