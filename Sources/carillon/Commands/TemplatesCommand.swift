import ArgumentParser
import CarillonCore
import CommandSupport
import Foundation

/// `carillon templates`: manages named messages with versions.
struct TemplatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "templates",
        abstract: "Manages named messages, which requests to send can name.",
        discussion: """
            'put', 'revert' and 'remove' need a key with the scope admin, the others read. docs/templates.md.

            Examples:
              carillon templates put order-shipped order-shipped.json
              carillon templates render order-shipped --with order=4711 --language de
              carillon messages send --user u-42 --template order-shipped --with order=4711
              carillon templates list
              carillon templates versions order-shipped
              carillon templates diff order-shipped 2 3
              carillon templates revert order-shipped 2
            """,
        subcommands: [
            List.self, Show.self, Put.self, Render.self, Versions.self, Diff.self, Revert.self, Remove.self,
        ])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the app's templates, a line each.")

        @OptionGroup var service: ServiceOptions
        @Flag(help: "Print a JSON object a template, as the service's API has it.")
        var json = false

        func run() async throws {
            var query: [String: String?] = ["limit": "\(CommandLimits.entriesPerCall)"]
            var isEmpty = true
            while true {
                let page = try JSONValue(parsing: await service.answer("GET", "/v1/templates", query: query))
                for template in page["templates"]?.arrayValue ?? [] {
                    isEmpty = false
                    try json
                        ? StandardOutput.write(json: template.encoded())
                        : StandardOutput.write(TemplatesCommand.line(of: template, hasName: true))
                }
                guard let next = page["next"]?.stringValue else { break }
                query["after"] = next
            }
            if isEmpty, !json {
                try StandardOutput.write("the app has no template; 'carillon templates put' stores one")
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Prints the message of a template.")

        @OptionGroup var service: ServiceOptions
        @Argument(help: "The template's name.") var name: String
        @Option(help: "The version; the newest one without it.")
        var version: Int?

        func run() async throws {
            try StandardOutput.write(json: try await TemplatesCommand.message(name, version, service).encoded())
        }
    }

    struct Put: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stores a template from a file, as a new version if it has changed.",
            discussion: """
                The file has members of POST /v1/notifications, such as {"payload": {"aps": {"alert": "Order {{order}} is on its \
                way"}}}; - reads standard input.
                """)

        @OptionGroup var service: ServiceOptions
        @Argument(help: "The template's name.") var name: String
        @Argument(help: "The JSON file.") var file: String

        func run() async throws {
            let body = try CommandFile.json(at: file, option: "the file")
            let stored = try JSONValue(
                parsing: await service.answer("PUT", "/v1/templates", name: name, body: body))
            try StandardOutput.write(TemplatesCommand.line(of: stored, hasName: true))
        }
    }

    struct Render: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints what a template makes, without sending.",
            discussion: """
                Examples:
                  carillon templates render order-shipped --with order=4711
                  carillon templates render order-shipped --with order=4711 --user u-42
                """)

        @OptionGroup var service: ServiceOptions
        @Argument(help: "The template's name.") var name: String
        @Option(
            name: .customLong("with"),
            help: ArgumentHelp("A value of a variable; can be repeated.", valueName: "name=value"))
        var values: [TemplateValue] = []
        @Option(help: "The language, such as de or pt-BR.")
        var language: String?
        @Option(help: "In the language of this user's newest installation.")
        var user: String?
        @Option(help: "The version; the newest one without it.")
        var version: Int?

        func run() async throws {
            var body: [String: JSONValue] = [:]
            if !values.isEmpty { body["with"] = TemplateValue.json(values) }
            body["language"] = language.map(JSONValue.string)
            body["user"] = user.map(JSONValue.string)
            body["version"] = version.map { .int(Int64($0)) }
            try StandardOutput.write(
                json: try await service.answer(
                    "POST", "/v1/templates", name: name, list: "render", body: .object(JSONObject(body))))
        }
    }

    struct Versions: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the versions of a template, the newest first.")

        @OptionGroup var service: ServiceOptions
        @Argument(help: "The template's name.") var name: String

        func run() async throws {
            let answer = try JSONValue(
                parsing: await service.answer("GET", "/v1/templates", name: name, list: "versions"))
            for version in answer["versions"]?.arrayValue ?? [] {
                try StandardOutput.write(TemplatesCommand.line(of: version, hasName: false))
            }
        }
    }

    struct Diff: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the lines that differ between two versions of a template.",
            discussion: "A line with - is in the first version only, one with + in the second only.")

        @OptionGroup var service: ServiceOptions
        @Argument(help: "The template's name.") var name: String
        @Argument(help: "The first version.") var first: Int
        @Argument(help: "The second version.") var second: Int

        func run() async throws {
            let old = try TemplatesCommand.lines(of: await TemplatesCommand.message(name, first, service))
            let new = try TemplatesCommand.lines(of: await TemplatesCommand.message(name, second, service))
            for line in LineDifference.lines(from: old, to: new) { try StandardOutput.write(line) }
        }
    }

    struct Revert: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Returns to a former version: its content becomes the newest version.")

        @OptionGroup var service: ServiceOptions
        @Argument(help: "The template's name.") var name: String
        @Argument(help: "The version to return to.") var version: Int

        func run() async throws {
            let stored = try JSONValue(
                parsing: await service.answer(
                    "POST", "/v1/templates", name: name, list: "revert", body: ["version": .int(Int64(version))]))
            try StandardOutput.write(TemplatesCommand.line(of: stored, hasName: true))
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Deletes a template with all its versions.")

        @OptionGroup var service: ServiceOptions
        @Argument(help: "The template's name.") var name: String

        func run() async throws { _ = try await service.answer("DELETE", "/v1/templates", name: name) }
    }

    private static func message(_ name: String, _ version: Int?, _ service: ServiceOptions) async throws -> JSONValue {
        let answer = try await service.answer(
            "GET", "/v1/templates", name: name, query: ["version": version.map { "\($0)" }])
        return try JSONValue(parsing: answer)["message"] ?? .null
    }

    /// Returns a value as JSON with a line for each member, in the order of their names.
    private static func lines(of json: JSONValue) throws -> [String] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(json), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func line(of template: JSONValue, hasName: Bool) -> String {
        let parts = [
            hasName ? template["name"]?.stringValue : nil, template["version"]?.intValue.map { "version \($0)" },
            template["changed_at"]?.stringValue, template["changed_by"]?.stringValue,
        ]
        return parts.compactMap(\.self).joined(separator: "  ").onOneLine
    }
}

/// A value of a variable, as `name=value`.
struct TemplateValue: ExpressibleByArgument {
    let name: String
    let value: String

    init?(argument: String) {
        guard let equal = argument.firstIndex(of: "="), equal > argument.startIndex else { return nil }
        (name, value) = (String(argument[..<equal]), String(argument[argument.index(after: equal)...]))
    }

    /// The object of several values; of two for one name, the last counts.
    static func json(_ values: [TemplateValue]) -> JSONValue {
        var members = JSONObject()
        for value in values { members[value.name] = .string(value.value) }
        return .object(members)
    }
}

/// The difference between two texts, line by line.
enum LineDifference {
    /// Returns the lines of both texts in order: with "- " those of the first only, with "+ " those of the second only, and with
    /// two spaces those of both.
    static func lines(from first: [String], to second: [String]) -> [String] {
        let difference = second.difference(from: first)
        let removed = Set(
            difference.removals.map { change in if case .remove(let offset, _, _) = change { offset } else { -1 } })
        let inserted = Set(
            difference.insertions.map { change in if case .insert(let offset, _, _) = change { offset } else { -1 } })
        var (lines, old, new): ([String], Int, Int) = ([], 0, 0)
        while old < first.count || new < second.count {
            if old < first.count, removed.contains(old) {
                lines.append("- \(first[old])")
                old += 1
            } else if new < second.count, inserted.contains(new) {
                lines.append("+ \(second[new])")
                new += 1
            } else {
                if old < first.count { lines.append("  \(first[old])") }
                (old, new) = (old + 1, new + 1)
            }
        }
        return lines
    }
}
