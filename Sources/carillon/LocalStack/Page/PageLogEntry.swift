import CarillonCore
import CarillonSimulator
import Foundation

/// One line of the page's log.
struct PageLogEntry: Encodable, Sendable {
    enum Source: String, Encodable, Sendable { case apns, phone, app, service }

    /// Counted from 1.
    var id: Int
    var at: Timestamp
    var source: Source
    var text: String
}

/// The log: the newest lines, numbered.
struct PageLog: Sendable {
    static let lineLimit = 300

    private(set) var entries: [PageLogEntry] = []
    private var lastID = 0

    mutating func add(_ source: PageLogEntry.Source, _ text: String, at now: Timestamp) -> PageLogEntry {
        lastID += 1
        let entry = PageLogEntry(id: lastID, at: now, source: source, text: text)
        entries.append(entry)
        if entries.count > Self.lineLimit { entries.removeFirst() }
        return entry
    }
}

extension SimulatorEvent {
    /// The event in words, without tokens and texts; `nil` for what nobody wants to read.
    ///
    /// - Parameter phoneName: what people call the device with that id.
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
        case .failed(let fault): "a fault on purpose (\(fault)) for \(push)"
        }
    }
}

extension CarillonSimulator.DeviceEvent {
    fileprivate func sentence(phoneName: (String) -> String) -> String? {
        let phone = phoneName(device)
        let push = push?.collapseID?.shortened ?? "a push"
        return switch kind {
        case .tokenIssued: "device token for Chime on \(phone)"
        case .tokenInvalidated(_, let reason): "the token of \(phone) is no longer good: \(reason)"
        case .connected: "\(phone) is connected"
        case .disconnected: "\(phone) is gone"
        case .powerChanged: nil
        case .followed(_, let channels): "\(phone) follows \(channels.count) channels"
        case .stored(let cause, _): "keeps \(push) for \(phone) (\(cause.rawValue))"
        case .delivered(let late): "hands \(push) to \(phone)\(late ? ", though it has expired" : "")"
        case .discarded(let cause): "discards \(push) for \(phone) (\(cause.rawValue))"
        }
    }
}

extension ConnectionEvent {
    fileprivate var sentence: String {
        switch kind {
        case .opened: "connection \(connection) opened"
        case .goAway(let reason): "connection \(connection) sent away\(reason.map { ": \($0)" } ?? "")"
        case .closed: "connection \(connection) closed"
        case .violation(let text): "connection \(connection) broke a rule: \(text)"
        }
    }
}

extension String {
    /// An id as it fits into a line: one that people chose stays as it is.
    var shortened: String { count > 20 ? prefix(8) + "…" : self }
}
