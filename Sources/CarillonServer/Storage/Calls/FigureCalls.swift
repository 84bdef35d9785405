import CarillonCore

/// The store's calls about figures: what has happened to messages and devices, counted by day.
package struct FigureCalls: Sendable {
    let transactions: Transactions

    /// Returns figures of an app, of one of its campaigns, or of a message.
    ///
    /// The cost depends on the number of the days, not on the number of messages or devices.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - message: the message; `nil` for figures of the app or of a campaign.
    ///   - campaign: the campaign; `nil` for figures of the app or of a message.
    ///   - days: the days.
    /// - Returns: the figures; `nil` if the app has no such message.
    /// - Throws: the errors of the database.
    package func report(
        of app: AppNumber, message: MessageID?, campaign: String?, on days: ClosedRange<FigureDay>
    ) async throws -> FigureReport? {
        let counts = try await transactions.read { session -> [FigureCount]? in
            var scope = FiguresTable.Scope(app: app)
            if let message {
                guard let number = try MessagesTable(session).number(of: MessageReference(message, of: app)) else {
                    return nil
                }
                scope.message = number
            }
            scope.campaign = campaign ?? ""
            return try FiguresTable(session).counts(of: scope, on: days)
        }
        guard let counts else { return nil }
        var report = FigureReport(
            from: days.lowerBound, to: days.upperBound, message: message, campaign: campaign, total: Figures(counts),
            days: [])
        for count in counts {
            if report.days.last?.day != count.day {
                report.days.append(FigureReport.Day(day: count.day, figures: Figures()))
            }
            report.days[report.days.count - 1].figures.add(count)
        }
        return report
    }

    /// Returns figures of an app's campaigns, in the order of their names.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - days: the days.
    ///   - campaign: the campaign after which the page begins; `nil` for the first page.
    ///   - limit: the greatest number of campaigns.
    ///   - now: the time of the call.
    /// - Returns: the page.
    /// - Throws: the errors of the database.
    package func campaigns(
        of app: AppNumber, on days: ClosedRange<FigureDay>, after campaign: String?, limit: Int, at now: Timestamp
    ) async throws -> CampaignFigures {
        let found = try await transactions.costlyRead(for: app, at: now) { session in
            try FiguresTable(session).campaigns(of: app, on: days, after: campaign ?? "", limit: limit + 1)
                .map { CampaignFigures.Campaign(campaign: $0.campaign, figures: Figures($0.counts)) }
        }
        let page = Array(found.prefix(limit))
        return CampaignFigures(
            from: days.lowerBound, to: days.upperBound, campaigns: page,
            next: found.count > limit ? page.last?.campaign : nil)
    }
}

extension Figures {
    init(_ counts: [FigureCount]) {
        self.init()
        for count in counts { add(count) }
    }

    /// Adds a count; a figure that only a newer version knows is left out.
    mutating func add(_ count: FigureCount) {
        if let reason = count.name.after(Figure.failedPrefix) {
            failed += count.count
            failures[reason, default: 0] += count.count
        } else if let bound = count.name.after(Figure.withinPrefix) {
            shownWithin[bound, default: 0] += count.count
        } else if let member = Self.members[count.name] {
            self[keyPath: member] += count.count
        }
    }

    private static var members: [String: WritableKeyPath<Figures, Int>] {
        [
            Figure.accepted.name: \.accepted, Figure.optOut.name: \.optOuts, Figure.unregistered.name: \.unregistered,
            Figure.reported(.received).name: \.received, Figure.reported(.shown).name: \.shown,
            Figure.reported(.opened).name: \.opened, Figure.reported(.acted).name: \.acted,
            Figure.reported(.dismissed).name: \.dismissed,
        ]
    }
}

extension String {
    /// Returns the text after a prefix; `nil` if the text does not begin with it.
    fileprivate func after(_ prefix: String) -> String? { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil }
}
