import CarillonCore

/// The limits and times for decisions about deliveries, texts and audiences.
///
/// Every part of the service may use these limits.
enum DeliveryLimits {
    // MARK: Words and audiences

    /// The number of an app's devices above which the deliveries of a broadcast (a message to everyone or to a condition) are
    /// kept as bitmaps, a bit for each device.
    ///
    /// Up to this number, a broadcast has one database row for each device. Only confirmed devices count: those to whose token
    /// APNs has accepted a push. See ``RangeRules``.
    static let devicesWithRows = 1000
    /// The greatest length of a user's id, in bytes of UTF-8; the service refuses a longer id.
    static let userIDBytes = 128
    /// The greatest length of a recall notice's title, in bytes of UTF-8; the service refuses a longer title.
    ///
    /// A notice with the longest title and body fits into any push.
    static let noticeTitleBytes = 200
    /// The greatest length of a recall notice's body, in bytes of UTF-8; the service refuses a longer body.
    static let noticeBodyBytes = 800
    /// The greatest number of characters of an unknown JSON key that an error response quotes and compares with the known keys.
    ///
    /// The response leaves out the rest of a longer key.
    static let quotedKeyCharacters = 64
    /// The default of ``RangeRules/chunkDevices``: the size of the smallest range of devices that one ``RangeChunk`` covers.
    ///
    /// Each device has a running number in its app; the smallest range has this many consecutive numbers.
    static let chunkDevices = 4096
    /// The number of devices that the store samples to estimate how many devices a message is addressed to.
    static let sampledDevices = 4096
    /// The number of groups of consecutive devices in the sample by which the store estimates a message's audience.
    ///
    /// The groups are spread evenly over all devices of the app, and have ``sampledDevices`` devices together.
    static let sampledStretches = 8
    /// The greatest number of values of one property (locale, time zone or version) in an app that the database compares with a
    /// condition.
    ///
    /// Phones choose the values, so an app may have as many as it has devices.
    static let comparedValues = 1000
    /// The greatest number of comparisons of such properties in a condition that the database decides.
    ///
    /// Tests of one property that stand side by side, such as `locale:de* or locale:fr*`, are one comparison.
    static let comparisonsInSQL = 4

    // MARK: Pushes

    /// The time after which a reload of widgets or controls is not sent, if the backend names no other.
    static let widgetReloadLifetime = Duration.seconds(24 * 3600)
    /// The longest time after which a reload of widgets or controls may still be sent: 30 days, as long as APNs keeps a push.
    static let longestWidgetReload = Duration.seconds(30 * 24 * 3600)
    /// The time that the service waits for a `shown` receipt after the silent push of a message with ``DeliveryMode/assured``.
    ///
    /// If no receipt comes in this time, the service sends a visible push. The operator can set another value.
    static let assuredWait = Duration.seconds(60)
    /// The time that the service waits for `shown` receipts of a message that has ``DeliveryMode/assured``, if the message's
    /// deliveries are kept as bitmaps, a bit for each device (``RangeRules``).
    ///
    /// The time is longer than ``assuredWait``, because receipts of many devices come in gradually. When it ends, devices without
    /// a receipt get a visible push.
    static let broadcastAssuredWait = Duration.seconds(15 * 60)
    /// The number of consecutive silent pushes without a receipt after which the service no longer waits for the device's
    /// receipts.
    ///
    /// For a message with ``DeliveryMode/assured``, such a device gets the visible push as soon as APNs has accepted the silent
    /// push. Any other device gets it only if no `shown` receipt comes within ``assuredWait``.
    static let silentPushesBeforeFallbackAtOnce = 3
    /// The greatest number of removals (requests to remove a message from the phone) in one push.
    ///
    /// If a device has more removals, the push asks the device to fetch them.
    static let removalsPerPush = 20
    /// The greatest number of messages whose contents and encoded pushes the service keeps in memory (``MessageContents``).
    ///
    /// Beyond this number, the service drops contents that were not used lately.
    static let keptContents = 64
    /// The waits before a push is sent again after failures.
    ///
    /// The first wait is 2 s. Each further wait is twice as long as the one before, up to 15 minutes, the wait that Apple advises
    /// for an outage.
    static let deliveryBackoff = Backoff(first: .seconds(2), longest: .seconds(15 * 60))
    /// The number of attempts without an answer from APNs after which the service gives a push up.
    ///
    /// Every such push may have arrived, so a further attempt could alert the person again.
    static let unansweredAttempts = 5
    /// The number of tries after which a response 410 makes a token invalid, although the 410's timestamp is older than the
    /// token's registration.
    ///
    /// After fewer tries, the service takes such a 410 for out of date and sends the push again.
    static let staleRejections = 3
    /// The longest time for which a delivery is tried; APNs itself keeps no push longer.
    static let deliveryLifetime = Duration.seconds(30 * 24 * 3600)

    /// The time for which the service tries a push of a message that is delivered now or never (``MessageEnd/now``).
    static let nowOrNeverLifetime = Duration.seconds(60)
    /// The time for which the service tries the pushes of a message that is delivered now or never, if the message's deliveries are
    /// kept as bitmaps, a bit for each device (``RangeRules``).
    ///
    /// The time is longer than ``nowOrNeverLifetime``, because sending to very many devices takes minutes.
    static let broadcastNowOrNeverLifetime = Duration.seconds(15 * 60)

    // MARK: Pushes in flight

    /// The greatest number of a sender's pushes in flight, including pushes whose outcome is not stored yet.
    ///
    /// A sender with so many pushes leases no more.
    static let pushesInFlight = 1500
    /// The greatest number of pushes in flight of one app in one environment, so that other apps can always send some.
    static let pushesInFlightOfOneApp = 1100
    /// The time without any answer after which an app's connection to APNs counts as silent.
    ///
    /// This applies only while the app has at least ``pushesWithoutAnswer`` pushes in flight.
    static let answerPatience = Duration.seconds(5)
    /// The least number of an app's unanswered pushes at which the app's connection to APNs can count as silent.
    static let pushesWithoutAnswer = 100
    /// The part of ``pushesInFlight`` that only pushes of the queue ``DeliveryLane/single`` may use.
    static let placesForSingleMessages = 100
    /// The denominator of the fraction of a sender's limit on ``DeliveryLane/bulk`` pushes in flight that must be free before the
    /// sender leases more.
    ///
    /// The value 2 means that at least half of the limit must be free.
    static let bulkParts = 2
    /// The greatest number of devices of a message whose pushes wait in the queue ``DeliveryLane/single``.
    ///
    /// The pushes of a message to more devices wait in the queue ``DeliveryLane/bulk``, so that they do not delay other messages.
    static let singleMessageDevices = 100
    /// The greatest number of pushes that a sender leases, or of outcomes that it stores, in one call to the store.
    static let pushesTogether = 500
    /// The greatest number of pushes of ``DeliveryLane/bulk`` that a sender leases at once while it sends pushes of
    /// ``DeliveryLane/single``.
    static let pushesBesideSingleMessages = 125
    /// The time without a push of ``DeliveryLane/single`` after which a sender no longer limits pushes of ``DeliveryLane/bulk``.
    static let quietAfterSingleMessage = Duration.seconds(1)
    /// The lowest value to which ``BulkPlaces`` reduces its limit on pushes in flight.
    ///
    /// The limit is for pushes of ``DeliveryLane/bulk``, and applies while a sender also sends pushes of ``DeliveryLane/single``.
    static let leastBulkPlaces = 2 * pushesBesideSingleMessages
    /// The number of pushes by which ``BulkPlaces`` raises its limit after an answer from APNs that was not slow.
    static let bulkPlacesGained = 16
    /// The longest delay of an answer from APNs for which ``BulkPlaces`` never lowers its limit on pushes in flight.
    ///
    /// The delay is the time that the answer took, less the time of APNs' fastest answer.
    static let longestWaitBehindBulk = Duration.milliseconds(10)
    /// The length of a period for which ``BulkPlaces`` remembers the shortest time in which APNs has answered a push.
    ///
    /// ``BulkPlaces`` compares each answer with the shortest time of the present and of the previous period.
    static let fastestAnswerMemory = Duration.seconds(10)
    /// The longest time for which a sender collects outcomes of pushes of ``DeliveryLane/bulk`` before it stores them together.
    static let longestOutcomeWait = Duration.milliseconds(50)

    /// The least number of APNs' answers to an app's pushes at which ``RejectionWatch`` judges the share of rejected tokens.
    static let answersThatTell = 20
    /// The greatest number of APNs' answers to an app's pushes that ``RejectionWatch`` counts.
    ///
    /// When the count exceeds this number, the watch halves its counts, so that newer answers weigh more.
    static let countedAnswers = 100
    /// The longest time for which ``RejectionWatch`` keeps the rejection of a token back while it waits for more answers.
    static let rejectionPatience = Duration.seconds(2)

    // MARK: Senders

    /// The duration of a sender's lease, its exclusive right to send the pushes that the store has given to it.
    ///
    /// The operator can set another value.
    static let leaseDuration = Duration.seconds(60)
    /// The longest time that a sender waits for APNs' answer to a push, however long the sender's lease is.
    static let longestPushDeadline = Duration.seconds(15)
    /// The number by which a lease's duration is divided to get the longest wait for APNs' answer
    /// (``pushDeadline(underLease:)``).
    static let deadlinesPerLease = 4
    /// Returns the longest time that a sender waits for APNs' answer to a push.
    ///
    /// A sender hands no push to APNs when less than this time of its lease is left. So it never waits for an answer
    /// after its lease has ended and another sender may have leased the push.
    static func pushDeadline(underLease lease: Duration) -> Duration {
        min(longestPushDeadline, lease / deadlinesPerLease)
    }
    /// The part of the wait for APNs' answer that a push may take to try an app's new credential: a third.
    ///
    /// The other pushes of the hand-over have the rest of the time, with the old credential if the new one has had no answer.
    static let trialsPerDeadline = 3
    /// The longest time that a sender runs on after it was asked to end.
    ///
    /// During this time the sender waits for APNs' answers to its pushes, and until the store has their outcomes.
    static let drainPatience = Duration.seconds(5)
    /// The number of heartbeats that a sender makes during one lease (``leaseDuration``).
    static let beatsPerLease = 5
    /// The greatest number of heartbeat intervals that one reading by a ``SenderWatch`` adds to the time for which a sender had
    /// no heartbeat.
    ///
    /// The limit applies however long ago the previous reading was. While the watch could not reach the database, the sender may
    /// not have reached it either.
    static let beatsPerLook = 2
    /// The interval at which a process looks for work that another process has accepted.
    ///
    /// The operator can set another value.
    static let pollInterval = Duration.seconds(1)
    /// The time that a sender waits before it repeats a call to the store that has failed.
    static let storeFailureWait = Duration.seconds(1)

    // MARK: Apps that cannot send

    /// The time that the service waits before it sends a single push to test a credential that APNs has refused.
    static let credentialProbeInterval = Duration.seconds(5 * 60)
    /// The time that the service waits before it sends a single push of an app to test whether APNs can be reached again.
    static let unreachableProbeInterval = Duration.seconds(10)
    /// The time for which all of an app's pushes may fail before the service stops sending them and raises an alarm.
    static let sendingPatience = Duration.seconds(60)
    /// The interval at which the service looks again for an app's missing credential.
    static let missingCredentialInterval = Duration.seconds(5)

    // MARK: Channels of Live Activities

    /// The time from the end of a Live Activity to the deletion of its channels: as long as iOS shows it on the lock screen.
    ///
    /// APNs keeps the end for phones that are offline, until the channel is deleted.
    static let channelAfterEnd = Duration.seconds(4 * 3600)
    /// The time by which the `timestamp` of a Live Activity's state may be ahead of the clock.
    ///
    /// A phone ignores a push whose `timestamp` is more than eight hours ahead.
    static let activityStampLead = Duration.seconds(3600)

    /// Returns the `timestamp` of a Live Activity's next state, in seconds since 1970.
    ///
    /// It is greater than the last one, or equal to it if more than one state a second has used up ``activityStampLead``. A phone shows a state with
    /// an equal `timestamp`, and gets one push at a time, so it shows the newest then too.
    static func activityStamp(after last: Int64, at now: Timestamp) -> Int64 {
        let latest = (now + activityStampLead).secondsSince1970
        return max(now.secondsSince1970, last, min(last + 1, latest))
    }

    /// The time that a phone may need after its start until it follows the channel.
    static let channelSettling = Duration.seconds(10)
}
