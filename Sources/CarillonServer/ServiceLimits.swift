import CarillonCore

/// Every bound of the service, in one place.
package enum ServiceLimits {
    /// The largest body of a backend's call, bytes.
    package static let backendBodyBytes = 64 * 1024
    /// The largest body of an app's call (500 receipts fit), bytes.
    package static let appBodyBytes = 256 * 1024
    /// Users or devices named in one `to`.
    package static let namedRecipients = 1000
    /// Devices of one message.
    package static let audienceDevices = 10_000
    /// The length of a user's id, bytes of UTF-8.
    package static let userIDBytes = 128
    /// The length of an `Idempotency-Key`, bytes.
    package static let idempotencyKeyBytes = 128
    /// Receipts of one request.
    package static let receiptsPerBatch = ReceiptBatch.countLimit
    /// The length of a receipt's detail, bytes of UTF-8.
    package static let receiptDetailBytes = 200
    /// Receipts that one device may give about one message; further ones are ignored.
    package static let receiptsPerDeviceAndMessage = 50
    /// Events shown for one device in a timeline, the newest of them.
    package static let timelineEventsPerDevice = 200
    /// Devices on one page of a timeline, and in the answer to a recall.
    package static let devicesPerPage = 100
    /// Messages on one page of an inbox, and ids in one call that marks as read.
    package static let messagesPerPage = 100
    /// Removals that travel in one push; with more, the push asks the device to sync.
    package static let removalsPerPush = 20
    /// Removals told in one answer to a device.
    package static let removalsPerSync = 500
    /// Tags of one device.
    package static let tagsPerDevice = 32
    /// The length of one tag, of a locale, a time zone or an app's version, bytes of UTF-8.
    package static let labelBytes = 64
    /// The length of an installation's secret, characters of hexadecimal: 32 to 128 bytes.
    package static let secretCharacters = 64...256
    /// Deliveries that a worker leases at once, and so has in flight.
    package static let deliveriesPerClaim = 100
    /// Outcomes after which a worker writes down what it knows, at the latest.
    package static let outcomesPerCommit = 50
    /// Attempts whose answer never came, after which a delivery is given up rather than risk another alert.
    package static let unansweredAttempts = 5
    /// How long a delivery is tried at most; APNs itself keeps nothing for longer.
    package static let deliveryLifetime = Duration.seconds(30 * 24 * 3600)
    /// How long a delivery waits after a failure: 2 s at first, doubled up to the 15 minutes that Apple advises for a real
    /// outage.
    static let deliveryBackoff = Backoff(first: .seconds(2), longest: .seconds(15 * 60))
    /// Events that wait for a slow reader of the live feed; older ones are dropped for it.
    package static let feedEvents = 1024
    /// Readers of the live feed at once.
    package static let feedReaders = 64

    /// A hub for the live feed; a reader that does not keep up loses the oldest events and can ask for the timeline.
    package static func timelineHub() -> EventHub<TimelineEvent> {
        EventHub(readerLimit: feedReaders, backlogLimit: feedEvents, overflow: .losesOldest)
    }

    /// Messages that one step of purging deletes.
    package static let purgedPerStep = 500
}
