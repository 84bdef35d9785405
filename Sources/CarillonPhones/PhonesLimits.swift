/// The limits and intervals of `carillon-phones`, in one place.
enum PhonesLimits {
    // MARK: The page of carillon up

    /// The greatest number of browser pages of `carillon up` that can be open at a time; a further page gets no event stream.
    static let pages = 32
    /// The greatest number of events that wait to be sent to one browser page of `carillon up`.
    ///
    /// Beyond this limit, the page's event stream ends, and the browser connects again.
    static let eventsPerPage = 2000
    /// The interval between the comment lines in a browser page's stream of server-sent events.
    ///
    /// These lines show whether the page is still open.
    static let heartbeatInterval = Duration.seconds(15)
    /// The greatest size of a request body from the browser page, in bytes.
    static let pageBodyBytes = 65_536
    /// The greatest number of notifications in one event.
    ///
    /// If there are more notifications, they are sent in several events.
    static let notificationsPerEvent = 64
    /// The shortest interval between two updates of a browser page's messages, and between two updates of its log.
    static let messageInterval = Duration.milliseconds(100)
    /// The number of log lines kept for the browser page.
    ///
    /// When there are more, the oldest lines are dropped.
    static let logLines = 300
    /// The greatest number of messages that the browser page shows.
    ///
    /// When there are more, the oldest messages are dropped.
    static let messages = 100
    /// The greatest number of messages from earlier runs of `carillon up` that the browser page shows; older messages are left
    /// out.
    static let earlierMessages = 20
    /// The greatest number of devices that the browser page lists below one message; further devices are left out.
    static let devicesPerMessage = 20

    /// The greatest number of events that the browser page lists below one message for one device.
    ///
    /// The page lists the newest events.
    static let eventsPerDevice = 60
    /// The greatest number of pushes sent directly to APNs that the browser page shows.
    ///
    /// When there are more, the oldest pushes are dropped.
    static let rawPushes = 30
    /// The time for which the service waits for a `shown` receipt of an assured message before it sends the visible push.
    ///
    /// An assured message is a silent push, and a visible push if no `shown` receipt follows.
    static let assuredWait = Duration.seconds(60)

    // MARK: The phones of carillon up

    /// The shortest interval between two states sent to the browser page for a phone whose app does not animate.
    ///
    /// Changes within the interval are sent together.
    static let phoneStateInterval = Duration.milliseconds(100)
    /// The shortest interval between two states sent to the browser page for a phone whose app animates.
    static let phoneFrameInterval = Duration.milliseconds(25)
    /// The shortest interval between two writes of a phone's saved state.
    static let phoneSaveInterval = Duration.seconds(1)
    /// The pause after a write of a phone's saved state, as a multiple of the duration of that write.
    ///
    /// With this pause, writes take at most a fiftieth of the time.
    static let phoneSaveShare = 50
    /// The greatest number of episodes in the feed of Chime's podcasts.
    ///
    /// When there are more, the oldest episode is dropped.
    static let feedEpisodes = 100
    /// The greatest length of an episode's title, in bytes of UTF-8.
    static let episodeTitleBytes = 200
    /// For one phone, the number of newest pushes whose log lines are remembered.
    ///
    /// A further line about a push is logged only if it differs from the remembered one.
    static let loggedPushes = 50

    /// The greatest number of message ids that `carillon why` lists if several ids begin with the typed text.
    ///
    /// Further ids are only counted.
    static let candidates = 20

    // MARK: The demo

    /// The longest time for which the demo waits for one of its checks to succeed; after that time, the step fails.
    static let demoCheckTime = Duration.seconds(10)

    // MARK: Measurements

    /// The number of pushes sent before a measurement, because the first pushes include one-time costs.
    static let warmUpPushes = 500
}
