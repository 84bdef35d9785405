import CarillonAPNs
import CarillonCore
import Foundation

/// The answer to a request about a broadcast channel.
package enum ChannelAnswer: Sendable, Hashable {
    /// The ids of the app's channels.
    case listed([String])
    /// The id of the new channel.
    case made(String)
    /// APNs has accepted the broadcast, or has deleted the channel.
    case done
    /// The request has failed; `mayHaveArrived` if APNs may have carried it out nevertheless.
    case failed(String, mayHaveArrived: Bool)
    /// APNs does not know the channel.
    case unknownChannel

    var isFailure: Bool {
        switch self {
        case .listed, .made, .done: false
        case .failed, .unknownChannel: true
        }
    }
}

/// The waits between requests about a channel.
enum ActivityChannelPace {
    static let backoff = Backoff(first: .seconds(2), longest: .seconds(600))
}

/// A request about a broadcast channel.
package enum ChannelCommand: Sendable, Hashable {
    /// List the app's channels.
    case list
    /// Make a channel.
    case make
    /// Delete the channel with this id.
    case delete(String)
    /// Send a payload to all devices that follow the channel.
    case broadcast(ChannelBroadcast)

    /// The value of the label `request` of ``MetricCatalogue/channelRequests``.
    var name: String {
        switch self {
        case .list: "list"
        case .make: "make"
        case .delete: "delete"
        case .broadcast: "broadcast"
        }
    }
}

/// A broadcast that can be sent.
package struct ChannelBroadcast: Sendable, Hashable {
    var channel: String
    var payload: Data
    var priority: APNsPriority
    /// The time until which APNs keeps the broadcast for devices that are offline.
    var until: Timestamp
}
