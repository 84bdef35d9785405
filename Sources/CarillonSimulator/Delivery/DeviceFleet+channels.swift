import CarillonCore
import Foundation
import NIOCore

extension DeviceFleet {
    /// Makes the app on the device follow these broadcast channels and no others.
    func follow(_ channelIDs: [String], of bundleID: String, device: String) {
        perform { state, _ in ((), state.store.follow(channelIDs, of: bundleID, device: device)) }
    }

    /// Performs the effect of an accepted request about channels on the devices: a broadcast, or the end of a channel.
    func carryOut(_ effect: BroadcastService.Effect, id: UUID, payload: ByteBuffer) {
        switch effect {
        case .none: break
        case .end(let channel): perform { state, _ in ((), state.store.end(channel)) }
        case .broadcast(let channel, let priority, let expiration):
            let push = SimulatorPush(
                device: "", token: nil, channelID: channel.id,
                topic: channel.bundleID + PushType.liveactivity.topicSuffix, bundleID: channel.bundleID,
                pushType: .liveactivity, payload: Data(payload.readableBytesView), apnsID: id, priority: priority,
                expiration: expiration)
            perform { state, now in
                let actions = state.store.broadcast(to: channel, at: now) { device in
                    var copy = push
                    copy.device = device
                    return copy
                }
                return ((), actions)
            }
        }
    }
}
