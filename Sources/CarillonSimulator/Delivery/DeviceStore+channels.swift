import CarillonCore

/// Devices that follow broadcast channels.
extension DeviceStore {
    /// A broadcast channel, and the app that it belongs to.
    struct Channel: Sendable, Hashable {
        var id: String
        var bundleID: String
    }

    /// From now on the app on this device follows these channels and no others.
    mutating func follow(_ channelIDs: [String], of bundleID: String, device id: String) -> [Action] {
        let index = register(id)
        stopFollowing(bundleID, on: index)
        for id in Set(channelIDs) {
            let channel = Channel(id: id, bundleID: bundleID)
            followers[channel, default: []].append(index)
            following[index, default: []].insert(channel)
        }
        return [event(index, .followed(bundleID: bundleID, channels: Set(channelIDs).sorted()))]
    }

    /// The app on this device follows none of its channels any more.
    mutating func stopFollowing(_ bundleID: String, on index: Int) {
        for channel in following[index] ?? [] where channel.bundleID == bundleID {
            followers[channel]?.removeAll { $0 == index }
            if followers[channel]?.isEmpty == true { followers[channel] = nil }
            following[index]?.remove(channel)
        }
        if following[index]?.isEmpty == true { following[index] = nil }
    }

    /// A broadcast that was accepted: it goes to every follower, in the order in which they came.
    ///
    /// - Parameters:
    ///   - channel: where it was sent.
    ///   - now: when.
    ///   - push: makes the push for the device of this id.
    /// - Returns: what to do.
    mutating func broadcast(
        to channel: Channel, at now: Timestamp, push: (_ device: String) -> SimulatorPush
    ) -> [Action] {
        (followers[channel] ?? []).flatMap { index in accept(push(devices[index].id), on: index, at: now) }
    }

    /// The channel was deleted: nobody follows it any more, and what waits in it is gone.
    mutating func end(_ channel: Channel) -> [Action] {
        guard let indices = followers.removeValue(forKey: channel) else { return [] }
        return indices.flatMap { index in
            following[index]?.remove(channel)
            let gone = devices[index].stored.filter { $0.push.isOf(channel) }
            devices[index].stored.removeAll { $0.push.isOf(channel) }
            return gone.map { event(index, .discarded(.unregistered), $0.push) }
        }
    }
}

extension SimulatorPush {
    fileprivate func isOf(_ channel: DeviceStore.Channel) -> Bool {
        channelID == channel.id && bundleID == channel.bundleID
    }
}
