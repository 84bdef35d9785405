import CarillonCore
import CarillonSimulator
import Foundation

/// One line of the page's log.
struct PageLogEntry: Encodable, Sendable {
    enum Source: String, Encodable, Sendable { case apns, phone, app, service }

    /// The number of the line, counted from 1.
    var id: Int
    var at: Timestamp
    var source: Source
    var text: String
}

/// The newest lines of the page's log, with their numbers.
struct PageLog: Sendable {
    private(set) var entries: [PageLogEntry] = []
    private var lastID = 0

    mutating func add(_ source: PageLogEntry.Source, _ text: String, at now: Timestamp) {
        lastID += 1
        entries.append(PageLogEntry(id: lastID, at: now, source: source, text: text))
        if entries.count > PhonesLimits.logLines { entries.removeFirst() }
    }
}

extension SimulatorEvent {
    /// Returns a sentence about the event, without tokens and without texts of messages.
    ///
    /// - Parameter phoneName: returns the name of the phone with a device id.
    /// - Returns: the sentence; `nil` for an event that is not logged.
    func sentence(phoneName: (String) -> String) -> String? {
        switch kind {
        case .request(let request): request.sentence
        case .device(let event): event.sentence(phoneName: phoneName)
        case .connection(let event): event.sentence
        }
    }
}

extension RequestRecord {
    fileprivate var sentence: String {
        let type = header("apns-push-type") ?? "no push type"
        let about = header("apns-collapse-id").map { " \($0.shortened)" } ?? ""
        let push = "\(type)\(about), priority \(header("apns-priority") ?? "10"), \(payload.count) bytes"
        return switch decision {
        case .accepted: "200 for \(push)"
        case .rejected(let rejection): "\(rejection.reason) for \(push)"
        case .failed(let fault): "injected fault (\(fault)) for \(push)"
        }
    }
}

extension CarillonSimulator.DeviceEvent {
    fileprivate func sentence(phoneName: (String) -> String) -> String? {
        let phone = phoneName(device)
        let push = push?.collapseID?.shortened ?? "a push"
        return switch kind {
        case .tokenIssued: "device token issued to \(phone)"
        case .tokenInvalidated(_, let reason): "device token of \(phone) invalidated: \(reason)"
        case .connected: "\(phone) connected"
        case .disconnected: "\(phone) disconnected"
        case .powerChanged: nil
        case .followed(_, let channels): "\(phone) subscribed to \(channels.count) broadcast channels"
        case .stored(let cause, _): "stored \(push) for \(phone) (\(cause.rawValue))"
        case .delivered(let late): "delivered \(push) to \(phone)\(late ? " after its expiration" : "")"
        case .discarded(let cause): "discarded \(push) for \(phone) (\(cause.rawValue))"
        }
    }
}

extension ConnectionEvent {
    fileprivate var sentence: String {
        switch kind {
        case .opened: "connection \(connection) opened"
        case .goAway(let reason): "connection \(connection): GOAWAY\(reason.map { " (\($0))" } ?? "")"
        case .closed: "connection \(connection) closed"
        case .violation(let text): "connection \(connection): protocol violation: \(text)"
        }
    }
}

extension String {
    /// The end of the id, to fit into a line: ids begin with the time, and ids of one minute begin alike.
    ///
    /// An id of at most 20 characters stays whole.
    var shortened: String { count > 20 ? "…" + suffix(8) : self }
}
