/// The limits and intervals of `carillon-phones`, in one place.
enum PhonesLimits {
    // MARK: The page of carillon up

    /// The most pages that may be open at once.
    static let pages = 32
    /// The most events that may wait for one page before it is cut off.
    static let eventsPerPage = 2000
    /// The time between two lines that only keep a page's stream open.
    static let heartbeatInterval = Duration.seconds(15)
    /// The largest body of a request of the page, in bytes.
    static let pageBodyBytes = 65_536
    /// The most notifications in one event; more of them come in several events.
    static let notificationsPerEvent = 64
    /// The shortest time between two updates of messages, and between two updates of the log, that a page is sent.
    static let messageInterval = Duration.milliseconds(100)
    /// The number of lines of the page's log that are kept; the oldest are dropped first.
    static let logLines = 300
    /// The most messages that the page shows; the oldest are dropped first.
    static let messages = 100
    /// The most messages of earlier starts that the page shows.
    static let earlierMessages = 20
    /// The most devices of a message that the page shows.
    static let devicesPerMessage = 20

    /// The most events of a message on one device that the page shows: the newest.
    static let eventsPerDevice = 60
    /// The most pushes without the service that the page shows; the oldest are dropped first.
    static let rawPushes = 30
    /// The time that a silent push of an assured message waits for its `shown` receipt.
    static let assuredWait = Duration.seconds(60)

    // MARK: The phones of carillon up

    /// The shortest time between two states of an untouched phone that are sent; changes in between are sent together.
    static let phoneStateInterval = Duration.milliseconds(100)
    /// The shortest time between two such states while its app animates something.
    static let phoneFrameInterval = Duration.milliseconds(25)
    /// The shortest time between two writes of a phone's saved state.
    static let phoneSaveInterval = Duration.seconds(1)
    /// The pause after a write, as a multiple of its duration: writes take a fiftieth of the phone's time at most.
    static let phoneSaveShare = 50
    /// The most episodes in the feed of Chime's podcasts; with one more, the oldest goes.
    static let feedEpisodes = 100
    /// The longest title of an episode, in bytes of UTF-8.
    static let episodeTitleBytes = 200
    /// The number of a phone's latest pushes whose last line in the log is remembered.
    static let loggedPushes = 50

    /// The most messages that `carillon why` lists when a typed beginning is ambiguous.
    static let candidates = 20

    // MARK: The demo

    /// The time limit of a check.
    static let demoCheckTime = Duration.seconds(10)

    // MARK: Measurements

    /// The number of pushes sent before measuring, since the first ones include one-time costs.
    static let warmUpPushes = 500
}
