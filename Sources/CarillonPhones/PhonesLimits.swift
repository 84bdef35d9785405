/// The bounds and times of `carillon-phones`, in one place.
enum PhonesLimits {
    // MARK: The page of carillon up

    /// Pages that may be open at once.
    static let pages = 32
    /// Events that may wait for one page before it is cut off.
    static let eventsPerPage = 2000
    /// The time between two lines that only keep a page's stream open.
    static let heartbeatInterval = Duration.seconds(15)
    /// The largest body of a request of the page, bytes.
    static let pageBodyBytes = 65_536
    /// Notifications in one event: more of them come in several.
    static let notificationsPerEvent = 64
    /// The shortest time between two accounts of messages, and between two pieces of the log, that a page is sent.
    static let messageInterval = Duration.milliseconds(100)
    /// Lines of the page's log that are kept; the oldest are dropped first.
    static let logLines = 300
    /// Messages that the page shows; the oldest are dropped first.
    static let messages = 100
    /// Messages of earlier starts that the page shows.
    static let earlierMessages = 20
    /// Devices of a message that the page shows.
    static let devicesPerMessage = 20

    /// Events of a message on one device that the page shows: the newest.
    static let eventsPerDevice = 60
    /// Pushes without the service that the page shows; the oldest are dropped first.
    static let rawPushes = 30
    /// How long a silent push of an assured message waits for its `shown` receipt.
    static let assuredWait = Duration.seconds(60)

    // MARK: The phones of carillon up

    /// The shortest time between two states of a phone that are sent while nobody touches it; changes in between are sent
    /// together.
    static let phoneStateInterval = Duration.milliseconds(100)
    /// The shortest time between two such states while its app animates something.
    static let phoneFrameInterval = Duration.milliseconds(25)
    /// The shortest time between two writes of a phone's saved state.
    static let phoneSaveInterval = Duration.seconds(1)
    /// How many times as long as a write took the phone does something else before the next one: a fiftieth of its time.
    static let phoneSaveShare = 50
    /// Episodes in the feed of Chime's podcasts; with one more, the oldest goes.
    static let feedEpisodes = 100
    /// The length of an episode's title, bytes of UTF-8.
    static let episodeTitleBytes = 200
    /// Pushes of a phone of which it is remembered what the log said.
    static let loggedPushes = 50

    /// Messages that `carillon why` lists where a typed beginning means several.
    static let candidates = 20

    // MARK: The demo

    /// How long a check may take until it fails.
    static let demoCheckTime = Duration.seconds(10)

    // MARK: Measurements

    /// Pushes that are sent before measuring, since the first ones include one-time costs.
    static let warmUpPushes = 500
}
