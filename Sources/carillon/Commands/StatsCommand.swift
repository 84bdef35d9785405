import ArgumentParser
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation

/// `carillon stats`: shows what has become of an app's messages, by day.
struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Shows how many pushes were accepted, failed, shown and opened, by day.",
        discussion: """
            Shows the figures of the app, or of one campaign or message: GET /v1/figures. Days are in UTC. The key needs the \
            scope read. docs/figures.md.

            Examples:
              carillon stats
              carillon stats --from 2027-01-01 --to 2027-01-31 --campaign spring
              carillon stats --campaigns
              carillon stats --message news-1 --json | jq .total
            """)

    @OptionGroup var service: ServiceOptions

    @Option(help: ArgumentHelp("The first day. (default: 30 days are shown)", valueName: "day"))
    var from: String?

    @Option(help: ArgumentHelp("The last day, such as 2027-01-31. (default: today)", valueName: "day"))
    var to: String?

    @Option(help: ArgumentHelp("Only messages of this campaign.", valueName: "name"))
    var campaign: String?

    @Option(help: ArgumentHelp("Only this message.", valueName: "id"))
    var message: MessageID?

    @Flag(help: "A line for each campaign, not for each day.")
    var campaigns = false

    @Flag(help: "Print JSON, as the service's API has it.")
    var json = false

    func validate() throws {
        guard message == nil || campaign == nil else {
            throw ValidationError("--message and --campaign exclude each other: a message has figures of its own")
        }
        guard !campaigns || (message == nil && campaign == nil) else {
            throw ValidationError("--campaigns shows all campaigns: leave --message and --campaign out")
        }
    }

    func run() async throws {
        let days = ["from": from, "to": to]
        guard !campaigns else { return try await showCampaigns(days) }
        let query = days.merging(["campaign": campaign, "message": message?.rawValue]) { $1 }
        let data = try await service.answer("GET", "/v1/figures", query: query)
        guard !json else { return try StandardOutput.write(json: data) }
        let report = try CarillonJSON.decode(FigureReport.self, from: data)
        let lines = report.days.map { FigureLines.row("\($0.day)", $0.figures) }
        let subject = report.message.map { " of \($0)" } ?? report.campaign.map { " of \($0)" } ?? ""
        try StandardOutput.write("\(report.from) to \(report.to)\(subject)\n")
        try write(FigureLines.table("day", lines + [FigureLines.row("total", report.total)]))
        try write(FigureLines.failures(report.total) + FigureLines.times(report.total))
    }

    private func showCampaigns(_ days: [String: String?]) async throws {
        var query = days.merging(["limit": "\(CommandLimits.entriesPerCall)"]) { $1 }
        var rows: [FigureLines.Row] = []
        while true {
            let data = try await service.answer("GET", "/v1/figures/campaigns", query: query)
            let page = try CarillonJSON.decode(CampaignFigures.self, from: data)
            for campaign in page.campaigns {
                if json { try StandardOutput.write(json: CarillonJSON.encode(campaign)) }
            }
            rows += page.campaigns.map { FigureLines.row($0.campaign, $0.figures) }
            guard let next = page.next else { break }
            query["after"] = next
        }
        if !json { try write(FigureLines.table("campaign", rows)) }
    }

    private func write(_ lines: [String]) throws {
        for line in lines { try StandardOutput.write(line) }
    }
}
