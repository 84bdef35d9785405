import CarillonAPNs
import CarillonCore

/// Selects the channels whose pushes a sender may send.
///
/// A channel (``SendingChannel``) is an app in one APNs environment. Each push waits in its channel, so that an app whose sending
/// is stopped does not slow down other apps. Nothing is sent from the channels of a removed app.
struct SendingChannels: SessionPart {
    let session: StoreSession
    private let deliveries: DeliveriesTable
    private let removed: RemovedAppsTable

    init(_ session: StoreSession) {
        self.session = session
        deliveries = DeliveriesTable(session)
        removed = RemovedAppsTable(session)
    }

    /// Returns the numbers of the channels that have waiting pushes, and whose pushes a sender may send.
    ///
    /// A channel (``SendingChannel``) is an app in one APNs environment.
    ///
    /// - Parameters:
    ///   - closed: the apps, each with its APNs environment, whose sending is stopped.
    ///   - only: the only app to send for, even if it is in `closed`; `nil`, the default, for all apps that are not in `closed`.
    /// - Returns: the channels' numbers.
    /// - Throws: the errors of the database.
    func waitingChannels(except closed: Set<AppID>, only: AppID? = nil) throws -> [Int64] {
        let removed = try removed.numbers()
        let all = try deliveries.waitingChannels().filter { !removed.contains(SendingChannel.app(of: $0)) }
        guard !closed.isEmpty || only != nil else { return all }
        let closedChannels = try Set(closed.compactMap(channel(of:)))
        let onlyChannel = try only.flatMap(channel(of:))
        return all.filter { (only == nil || $0 == onlyChannel) && ($0 == onlyChannel || !closedChannels.contains($0)) }
    }

    /// Returns the channels whose pushes a sender may send, including channels in which no push waits.
    ///
    /// A channel (``SendingChannel``) is an app in one APNs environment.
    ///
    /// - Parameters:
    ///   - closed: the apps, each with its APNs environment, whose sending is stopped.
    ///   - only: the only app to send for, even if it is in `closed`; `nil`, the default, for all apps that are not in `closed`.
    /// - Returns: the channels.
    /// - Throws: the errors of the database.
    func openChannels(except closed: Set<AppID>, only: AppID? = nil) throws -> OpenChannels {
        let onlyChannel = try only.map { try channel(of: $0) ?? -1 }
        let removed = try removed.numbers().flatMap { app in
            APNsEnvironment.allCases.map { SendingChannel.number(app, $0) }
        }
        return OpenChannels(closed: Set(try closed.compactMap(channel(of:)) + removed), only: onlyChannel)
    }

    func channel(of app: AppID) throws -> Int64? {
        try row("SELECT number FROM apps WHERE topic = ?", [app.topic]).map {
            try SendingChannel.number($0["number"], app.environment)
        }
    }
}
