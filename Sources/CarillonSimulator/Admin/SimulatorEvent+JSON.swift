import CarillonCore
import Foundation

extension SimulatorEvent {
    /// The event as the admin port shows it.
    ///
    /// A payload that is JSON is shown as JSON, and any other payload in base64.
    var json: JSONValue {
        var members: [String: JSONValue] = ["number": .int(Int64(number)), "at": .string(at.description)]
        switch kind {
        case .request(let record): members["request"] = record.json
        case .device(let event): members["device"] = event.json
        case .connection(let event): members["connection"] = event.json
        }
        return .object(members)
    }
}

extension RequestRecord {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = [
            "connection": .int(Int64(connection)), "method": .string(method), "path": .string(path),
            "headers": .array(headers.map { [.string($0.name), .string($0.value)] }),
            "apns_id": .string(apnsID), "payload": payload.shown,
        ]
        members["token"] = deviceToken.map { .string($0.hex) }
        if !notes.isEmpty { members["notes"] = .array(notes.map { .string($0) }) }
        switch decision {
        case .accepted: members["status"] = 200
        case .rejected(let rejection):
            members["status"] = .int(Int64(rejection.status))
            members["reason"] = .string(rejection.reason.rawValue)
            members["check"] = .string(rejection.check.rawValue)
            members["detail"] = .string(rejection.detail)
        case .failed(let fault): members["fault"] = fault.json
        }
        return .object(members)
    }
}

extension DeviceEvent {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = ["device": .string(device)]
        switch kind {
        case .tokenIssued(let bundleID): members["token_issued"] = .string(bundleID)
        case .tokenInvalidated(let bundleID, let reason):
            members["token_invalidated"] = .string(bundleID)
            members["reason"] = .string(reason.rawValue)
        case .connected: members["connected"] = true
        case .disconnected: members["connected"] = false
        case .followed(let bundleID, let channels):
            members["followed"] = .string(bundleID)
            members["channels"] = .array(channels.map { .string($0) })
        case .powerChanged(let power): members["power"] = .string(power.rawValue)
        case .stored(let cause, let until):
            members["stored"] = .string(cause.rawValue)
            members["until"] = .string(until.description)
        case .delivered(let late):
            members["delivered"] = true
            members["late"] = .bool(late)
        case .discarded(let cause): members["discarded"] = .string(cause.rawValue)
        }
        members["apns_id"] = push.map { .string($0.apnsID.uuidString) }
        members["topic"] = push.map { .string($0.topic) }
        return .object(members)
    }
}

extension ConnectionEvent {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = ["number": .int(Int64(connection))]
        switch kind {
        case .opened(let hasCertificate):
            members["opened"] = true
            members["certificate"] = .bool(hasCertificate)
        case .goAway(let reason): members["goaway"] = reason.map { .string($0.rawValue) } ?? .null
        case .closed: members["opened"] = false
        case .violation(let text): members["violation"] = .string(text)
        }
        return .object(members)
    }
}

extension SimulatorPush {
    /// The push as the admin port sends it to a client that has brought the device online.
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "device": .string(device), "topic": .string(topic), "bundle_id": .string(bundleID),
            "push_type": .string(pushType.rawValue), "apns_id": .string(apnsID.uuidString),
            "priority": .int(Int64(priority)), "payload": payload.shown,
        ]
        members["token"] = token.map { .string($0.hex) }
        members["channel"] = channelID.map { .string($0) }
        members["collapse_id"] = collapseID.map { .string($0) }
        switch expiration {
        case .unspecified: break
        case .oneAttempt: members["expiration"] = 0
        case .at(let moment): members["expiration"] = .int(moment.secondsSince1970)
        }
        return .object(members)
    }
}

extension Data {
    /// The payload as the admin port shows it: unchanged if it is JSON, otherwise in base64.
    var shown: JSONValue {
        (try? JSONValue(parsing: self)) ?? ["base64": .string(base64EncodedString())]
    }
}
