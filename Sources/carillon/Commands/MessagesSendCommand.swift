import ArgumentParser
import CarillonCore
import CommandSupport
import Foundation

/// `carillon messages send`: sends a message.
struct MessagesSendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Sends a message through the service.",
        discussion:
            """
            The members are those of POST /v1/notifications; docs/sending.md, docs/texts.md, docs/templates.md, docs/audiences.md.

            Examples:
              carillon messages send --user u-42 --title "New episode" --body "Listen now"
              carillon messages send --user u-42 --template order-shipped --with order=4711
            """)

    @OptionGroup var service: ServiceOptions
    @OptionGroup(title: "Audience") var audience: AudienceOptions

    @Option(help: "The title.")
    var title: String?

    @Option(help: "The subtitle.")
    var subtitle: String?

    @Option(help: "The text.")
    var body: String?

    @Option(
        help: ArgumentHelp(
            "A JSON file with the payload; the texts above take the place of its alert's.", valueName: "file"))
    var payload: String?

    @Option(
        help: ArgumentHelp("A JSON file with texts by language: {\"de\": {\"title\": \"Neu\"}}.", valueName: "file"))
    var localized: String?

    @Option(help: ArgumentHelp("The template with the content; see 'carillon templates'.", valueName: "name"))
    var template: String?

    @Option(
        help: ArgumentHelp("A value of the template's variable, for all; can be repeated.", valueName: "name=value"))
    var with: [TemplateValue] = []

    @Option(help: "How it reaches the phones: visible, silent or assured.")
    var mode: String?

    @Option(help: ArgumentHelp("When to send: 2027-01-31T12:00:00Z, or seconds since 1970.", valueName: "time"))
    var sendAt: String?

    @Option(
        help: ArgumentHelp(
            "When to send, by the clock of each device: 2027-01-31T09:00; docs/local-time.md.", valueName: "time"))
    var localTime: String?

    @Option(
        help: ArgumentHelp(
            "With --local-time: the zone of devices whose own is not known, or skip. The default is UTC.",
            valueName: "zone"))
    var fallbackZone: String?

    @Flag(help: "With --local-time: leave out devices on which that time has passed, instead of sending at once.")
    var skipPassed = false

    @Option(
        help: ArgumentHelp(
            "Not to be shown after this time; now: delivered at once or never.", valueName: "time"))
    var until: String?

    @Option(
        help: ArgumentHelp(
            "The message's id. Sent again with other content, it replaces the message; with the same, nothing is sent.",
            valueName: "id"))
    var id: String?

    @Option(help: ArgumentHelp("The campaign whose figures count it; see 'carillon stats'.", valueName: "name"))
    var campaign: String?

    @Flag(help: "Reload the app's widgets too.")
    var widgets = false

    @Option(help: ArgumentHelp("Reload the controls of this kind too; can be repeated.", valueName: "kind"))
    var control: [String] = []

    @Option(help: ArgumentHelp("Makes a repeated call the same call.", valueName: "key"))
    var idempotencyKey: String?

    @Flag(help: "Whether it may take the place of a message for another audience.")
    var replace = false

    @Flag(help: "Only say to how many devices it would go, in which languages, of which sizes.")
    var dryRun = false

    func run() async throws {
        try await service.perform(
            "POST", "/v1/notifications", body: .object(try members()),
            headers: idempotencyKey.map { ["Idempotency-Key": $0] } ?? [:])
    }

    /// Returns the members of the JSON object in the request's body.
    func members() throws -> [String: JSONValue] {
        var members: [String: JSONValue] = ["to": try audience.to()]
        if let template {
            guard title == nil, subtitle == nil, body == nil, payload == nil, localized == nil else {
                throw ValidationError(
                    "--template has the content: leave out --title, --body, --payload and --localized")
            }
            members["template"] = .string(template)
        } else {
            members["payload"] = try payloadWithTexts()
        }
        if !with.isEmpty { members["with"] = TemplateValue.json(with) }
        members["localized"] = try localized.map { try CommandFile.json(at: $0, option: "--localized") }
        for (name, value) in [("mode", mode), ("id", id), ("campaign", campaign)] {
            members[name] = value.map(JSONValue.string)
        }
        for (name, value) in [("send_at", sendAt), ("until", until)] { members[name] = value.map(Self.moment) }
        if let local = try localSendAt() { members["send_at"] = local }
        if widgets { members["widgets"] = true }
        if !control.isEmpty { members["controls"] = .array(control.map(JSONValue.string)) }
        if replace { members["replace"] = true }
        if dryRun { members["dry_run"] = true }
        return members
    }

    private func localSendAt() throws -> JSONValue? {
        guard let localTime else {
            guard fallbackZone == nil, !skipPassed else {
                throw ValidationError("--fallback-zone and --skip-passed go with --local-time")
            }
            return nil
        }
        guard sendAt == nil else { throw ValidationError("give either --send-at or --local-time") }
        var members: JSONObject = ["local": .string(localTime)]
        members["fallback"] = fallbackZone.map(JSONValue.string)
        if skipPassed { members["passed"] = "skip" }
        return .object(members)
    }

    private static func moment(_ text: String) -> JSONValue { Int64(text).map(JSONValue.int) ?? .string(text) }

    private func payloadWithTexts() throws -> JSONValue {
        var members = try payload.map { try CommandFile.json(at: $0, option: "--payload") }?.members ?? [:]
        let texts = ["title": title, "subtitle": subtitle, "body": body].compactMapValues { $0.map(JSONValue.string) }
        guard !texts.isEmpty else {
            guard payload != nil else {
                throw ValidationError("say what: --title, --body, --payload FILE, or --template NAME")
            }
            return .object(members)
        }
        var aps = members["aps"]?.members ?? [:]
        var alert = aps["alert"]?.members ?? [:]
        if let text = aps["alert"]?.stringValue { alert["body"] = .string(text) }
        alert.merge(JSONObject(texts)) { _, new in new }
        aps["alert"] = .object(alert)
        members["aps"] = .object(aps)
        return .object(members)
    }
}
