import CarillonCore

/// Every bound of the service, in one place.
public enum ServiceLimits {
    /// The largest body of a backend's call, bytes.
    public static let backendBodyBytes = 64 * 1024
    /// The largest body of an app's call (500 receipts fit), bytes.
    public static let appBodyBytes = 256 * 1024
    /// Users or devices named in one `to`.
    public static let namedRecipients = 1000
    /// Devices of one message.
    public static let audienceDevices = 10_000
    /// The length of a user's id, bytes of UTF-8.
    public static let userIDBytes = 128
    /// The length of an `Idempotency-Key`, bytes.
    public static let idempotencyKeyBytes = 128
    /// Receipts of one request.
    public static let receiptsPerBatch = ReceiptBatch.countLimit
    /// The length of a receipt's detail, bytes of UTF-8.
    public static let receiptDetailBytes = 200
    /// Receipts that one device may give about one message; further ones are ignored.
    public static let receiptsPerDeviceAndMessage = 50
    /// Events shown for one device in a timeline, the newest of them.
    public static let timelineEventsPerDevice = 200
    /// Devices on one page of a timeline, and in the answer to a recall.
    public static let devicesPerPage = 100
    /// Messages on one page of an inbox, and ids in one call that marks as read.
    public static let messagesPerPage = 100
    /// Removals that travel in one push; with more, the push asks the device to sync.
    public static let removalsPerPush = 20
    /// Removals told in one answer to a device.
    public static let removalsPerSync = 500
    /// Tags of one device.
    public static let tagsPerDevice = 32
    /// The length of one tag, of a locale, a time zone or an app's version, bytes of UTF-8.
    public static let labelBytes = 64
    /// The length of an installation's secret, characters of hexadecimal: 32 to 128 bytes.
    public static let secretCharacters = 64...256
    /// Deliveries that a worker leases at once, and so has in flight.
    public static let deliveriesPerClaim = 100
    /// Outcomes after which a worker writes down what it knows, at the latest.
    public static let outcomesPerCommit = 50
    /// Attempts whose answer never came, after which a delivery is given up rather than risk another alert.
    public static let unansweredAttempts = 5
    /// How long a delivery is tried at most; APNs itself keeps nothing for longer.
    public static let deliveryLifetime = Duration.seconds(30 * 24 * 3600)
    /// How long a delivery waits after a failure: 2 s at first, doubled up to the 15 minutes that Apple advises for a real
    /// outage.
    static let deliveryBackoff = Backoff(first: .seconds(2), longest: .seconds(15 * 60))
    /// Events that wait for a slow reader of the live feed; older ones are dropped for it.
    public static let feedEvents = 1024
    /// Readers of the live feed at once.
    public static let feedReaders = 64

    /// A hub for the live feed; a reader that does not keep up loses the oldest events and can ask for the timeline.
    package static func timelineHub() -> EventHub<TimelineEvent> {
        EventHub(readerLimit: feedReaders, backlogLimit: feedEvents, overflow: .losesOldest)
    }

    /// Messages that one step of purging deletes.
    public static let purgedPerStep = 500
}
