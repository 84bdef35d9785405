import ArgumentParser
import CarillonCore
import CommandSupport
import Foundation

/// The options that select a message's recipients.
struct AudienceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A user's id; can be repeated.", valueName: "id"))
    var user: [String] = []

    @Option(help: ArgumentHelp("An installation's id; can be repeated.", valueName: "id"))
    var device: [String] = []

    @Option(help: ArgumentHelp("A condition, such as 'tag:vip and seen<30d'.", valueName: "condition"))
    var `where`: String?

    @Option(
        help: ArgumentHelp(
            "A JSON file of users with their values for {{variables}}: {\"u-1\": {\"name\": \"Ada\"}}.",
            valueName: "file"))
    var users: String?

    @Flag(help: "Everyone.")
    var everyone = false

    /// Returns the selected audience as JSON, for the member `to` of the request's body.
    func to() throws -> JSONValue {
        var choices: [JSONValue] = []
        if !user.isEmpty { choices.append(["users": .array(user.map(JSONValue.string))]) }
        if !device.isEmpty { choices.append(["devices": .array(device.map(JSONValue.string))]) }
        if let condition = self.where { choices.append(["where": .string(condition)]) }
        if let users { choices.append(["users": try CommandFile.json(at: users, option: "--users")]) }
        if everyone { choices.append(["everyone": true]) }
        guard choices.count == 1, let choice = choices.first else {
            throw ValidationError("say whom it is for: one of --user, --device, --where, --users, --everyone")
        }
        return choice
    }
}
