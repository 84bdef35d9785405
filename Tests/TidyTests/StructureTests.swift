import Foundation
import Testing

/// Types are of limited size, folders depend in one direction, and one type writes each table.
@Suite("Structure")
struct StructureTests {
    @Test("no type has more lines of code than the limit, over all its files and extensions")
    func types() throws {
        var (counts, places): ([String: Int], [String: Set<String>]) = ([:], [:])
        for file in try SourceTree.swiftFiles(under: "Sources") where !file.path.hasPrefix("Sources/AppleFrameworks/") {
            let module = file.path.split(separator: "/")[1]
            for (type, lines) in SourceTypes.codeLines(of: file) {
                counts["\(module).\(type)", default: 0] += lines
                places["\(module).\(type)", default: []].insert(file.path)
            }
        }
        try #require(counts.count > 500)
        for (type, count) in counts.sorted(by: { $0.key < $1.key }) {
            let limit = Ratchets.largerTypes[type] ?? Ratchets.typeLimit
            if count > limit {
                Issue.record(
                    "\(type) has \(count) lines of code in \(places[type]?.count ?? 0) files, the most allowed is \(limit): find the second type in it"
                )
            }
        }
        for (type, limit) in Ratchets.largerTypes where counts[type] ?? 0 <= Ratchets.typeLimit {
            Issue.record("\(type) may leave Ratchets.largerTypes, where it stands with \(limit)")
        }
    }

    @Test(
        "no type has more lines of code than the limit together with the types inside it, but for those that only shrink"
    )
    func owners() throws {
        var counts: [String: Int] = [:]
        for file in try SourceTree.swiftFiles(under: "Sources") where !file.path.hasPrefix("Sources/AppleFrameworks/") {
            let module = file.path.split(separator: "/")[1]
            for (type, lines) in SourceTypes.codeLines(of: file) {
                counts["\(module).\(type.prefix { $0 != "." })", default: 0] += lines
            }
        }
        for (owner, count) in counts.sorted(by: { $0.key < $1.key }) {
            let limit = Ratchets.largerOwners[owner] ?? Ratchets.typeLimit
            if count > limit {
                Issue.record(
                    "\(owner) has \(count) lines of code with the types inside it, the most allowed is \(limit): find the second type in it"
                )
            }
        }
        for (owner, limit) in Ratchets.largerOwners where counts[owner] ?? 0 <= Ratchets.typeLimit {
            Issue.record("\(owner) may leave Ratchets.largerOwners, where it stands with \(limit)")
        }
    }

    @Test("no two folders of the service name each other's types")
    func folders() throws {
        let pairs = try SourceTypes.edges(between: "Sources/CarillonServer").twoWay
        for pair in pairs {
            Issue.record("\(pair): move what the lower folder needs down, or what needs it up")
        }
    }

    @Test("limits of the store and of the service are named only by their folders and those above")
    func limits() throws {
        var named: Set<String> = []
        for file in try SourceTree.swiftFiles(under: "Sources/CarillonServer") {
            let parts = file.path.split(separator: "/")
            let folder = parts.count > 3 ? String(parts[2]) : "the top"
            for (number, line) in file.codeLines {
                for match in line.matches(of: /(?:Store|Service)Limits/) {
                    let limits = String(match.0)
                    named.insert(limits)
                    if Self.foldersBelow[limits]?.contains(folder) == true {
                        Issue.record(
                            "\(file.path):\(number) names \(limits), which are of a folder above: pass the value in, or move it down"
                        )
                    }
                }
            }
        }
        #expect(named == Set(Self.foldersBelow.keys))
    }

    /// The folders that may not name each type of limits; `DeliveryLimits` stand in the lowest folder.
    private static let foldersBelow: [String: Set<String>] = [
        "StoreLimits": ["Audience", "Basics", "Delivery", "Texts", "Wire"],
        "ServiceLimits": ["Audience", "Basics", "Delivery", "Storage", "Texts", "Wire"],
    ]

    @Test("only a table's own type writes it")
    func tables() throws {
        var written: Set<String> = []
        for file in try SourceTree.swiftFiles(under: "Sources/CarillonServer/Storage") {
            let name = file.path.split(separator: "/").last.map(String.init) ?? ""
            guard !Self.mayWriteAll.contains(where: file.path.contains) else { continue }
            for (number, line) in file.codeLines where Self.verbs.contains(where: line.contains) {
                for match in line.matches(of: /(?:INSERT INTO|DELETE FROM|UPDATE) ([a-z_]+)/) {
                    let table = String(match.1)
                    guard let type = Self.writers[table] else {
                        Issue.record("\(file.path):\(number) writes \(table): name its type in StructureTests.writers")
                        continue
                    }
                    written.insert(table)
                    if !name.hasPrefix(type) {
                        Issue.record("\(file.path):\(number) writes \(table): that is for \(type)")
                    }
                }
            }
        }
        #expect(written.count > 15)
    }

    /// The places that may write all tables: schemas, upgrades and copies.
    private static let mayWriteAll = ["/SQLite/", "/PostgreSQL/", "/Copying/", "/Schema/"]

    private static let verbs = ["INSERT INTO ", "DELETE FROM ", "UPDATE "]

    private static let writers = [
        "apps": "AppsTable", "app_credentials": "AppsTable", "api_keys": "KeysTable", "api_key_apps": "KeysTable",
        "audit": "AuditTable",
        "sign_in_keys": "KeysTable", "devices": "DevicesTable", "device_tags": "DevicesTable",
        "token_claims": "DevicesTable", "messages": "MessagesTable", "message_variables": "MessagesTable",
        "message_changes": "MessageChangesTable",
        "idempotency": "MessagesTable", "inbox": "InboxTable", "deliveries": "DeliveriesTable",
        "removals": "RemovalsTable", "events": "EventsTable", "ranges": "RangesTable", "chunks": "ChunksTable",
        "removal_leases": "ChunksTable", "senders": "SendersTable", "work": "WorkTable",
        "removed_apps": "RemovedAppsTable", "unread": "InboxTable", "feeds": "FeedTable", "feed": "FeedTable",
        "feed_users": "FeedUsersTable",
        "activities": "ActivitiesTable", "activity_requests": "ActivitiesTable",
        "activity_channels": "ActivityChannelsTable", "activity_phones": "ActivityPhonesTable",
        "activity_tokens": "ActivityPhonesTable", "widget_tokens": "WidgetTokensTable",
        "webhooks": "WebhooksTable", "alarms": "AlarmsTable", "templates": "TemplatesTable", "figures": "FiguresTable",
    ]
}
