import CarillonCore

/// Records which devices follow which broadcast channels.
extension DeviceStore {
    /// A broadcast channel and its app.
    struct Channel: Sendable, Hashable {
        var id: String
        var bundleID: String
    }

    /// Makes the app on a device follow these channels and no others.
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

    /// Makes the app on a device follow no channels.
    mutating func stopFollowing(_ bundleID: String, on index: Int) {
        for channel in following[index] ?? [] where channel.bundleID == bundleID {
            followers[channel]?.removeAll { $0 == index }
            if followers[channel]?.isEmpty == true { followers[channel] = nil }
            following[index]?.remove(channel)
        }
        if following[index]?.isEmpty == true { following[index] = nil }
    }

    /// Sends an accepted broadcast to all followers, in the order in which they began to follow.
    ///
    /// - Parameters:
    ///   - channel: the channel of the broadcast.
    ///   - now: the present time.
    ///   - push: makes the push for the device with an id.
    /// - Returns: the actions to perform.
    mutating func broadcast(
        to channel: Channel, at now: Timestamp, push: (_ device: String) -> SimulatorPush
    ) -> [Action] {
        (followers[channel] ?? []).flatMap { index in accept(push(devices[index].id), on: index, at: now) }
    }

    /// Deletes a channel: devices no longer follow it, and its waiting broadcasts are discarded.
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
