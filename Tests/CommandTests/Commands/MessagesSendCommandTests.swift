import ArgumentParser
import CarillonCore
import Foundation
import TestSupport
import Testing

@testable import carillon

@Suite("carillon messages send: each option is a member of the request") struct MessagesSendCommandTests {
    /// The members that the options make of a request to everyone, besides the audience and the text.
    private func members(_ arguments: String...) throws -> [String: JSONValue] {
        var members = try MessagesSendCommand.parse(["--everyone", "--body", "Hi"] + arguments).members()
        #expect(members.removeValue(forKey: "to") == ["everyone": true])
        #expect(members.removeValue(forKey: "payload") == ["aps": ["alert": ["body": "Hi"]]])
        return members
    }

    @Test("how, when and under which id it is sent")
    func sending() throws {
        #expect(try members() == [:])
        #expect(try members("--mode", "assured") == ["mode": "assured"])
        #expect(try members("--id", "m1") == ["id": "m1"])
        #expect(try members("--send-at", "4102444800") == ["send_at": 4_102_444_800])
        #expect(try members("--send-at", "2027-01-31T12:00:00Z") == ["send_at": "2027-01-31T12:00:00Z"])
        #expect(try members("--until", "2027-01-31T12:00:00Z") == ["until": "2027-01-31T12:00:00Z"])
        #expect(try members("--until", "now") == ["until": "now"])
        #expect(try members("--replace") == ["replace": true])
        #expect(try members("--dry-run") == ["dry_run": true])
    }

    @Test("in the local time of each device")
    func localTime() throws {
        let nine = "2026-12-24T09:00"
        #expect(try members("--local-time", nine) == ["send_at": ["local": .string(nine)]])
        #expect(
            try members("--local-time", nine, "--fallback-zone", "skip", "--skip-passed")
                == ["send_at": ["local": .string(nine), "fallback": "skip", "passed": "skip"]])
        #expect(throws: ValidationError.self) { try members("--local-time", nine, "--send-at", "1") }
        #expect(throws: ValidationError.self) { try members("--skip-passed") }
        #expect(throws: ValidationError.self) { try members("--fallback-zone", "UTC") }
    }

    @Test(
        "whom it is for",
        arguments: [
            (["--user", "u-1", "--user", "u-2"], ["users": ["u-1", "u-2"]]), (["--device", "d"], ["devices": ["d"]]),
            (["--where", "tag:vip"], ["where": "tag:vip"]), (["--everyone"], ["everyone": true]),
        ] as [([String], JSONValue)])
    func audience(arguments: [String], expected: JSONValue) throws {
        #expect(try MessagesSendCommand.parse(arguments + ["--body", "Hi"]).members()["to"] == expected)
    }

    @Test("texts take the place of those of the payload's alert, and leave the rest of it")
    func texts() throws {
        let folder = try TemporaryFolder()
        func payload(_ text: String, _ arguments: String...) throws -> JSONValue? {
            let file = folder.url.appending(path: "payload.json").path
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            return try MessagesSendCommand.parse(["--everyone", "--payload", file] + arguments).members()["payload"]
        }
        #expect(
            try payload(#"{"aps": {"badge": 1}, "link": "x"}"#, "--title", "T", "--subtitle", "S", "--body", "B")
                == ["aps": ["badge": 1, "alert": ["title": "T", "subtitle": "S", "body": "B"]], "link": "x"])
        #expect(
            try payload(#"{"aps": {"alert": {"title": "old", "body": "b"}}}"#, "--title", "T")
                == ["aps": ["alert": ["title": "T", "body": "b"]]])
        #expect(
            try payload(#"{"aps": {"alert": "old"}}"#, "--title", "T")
                == ["aps": ["alert": ["title": "T", "body": "old"]]])
        #expect(try payload(#"{"aps": {"alert": "old"}}"#) == ["aps": ["alert": "old"]])
    }

    @Test("users with their values, and texts by language, come from files")
    func files() throws {
        let folder = try TemporaryFolder()
        let (users, texts) = (folder.url.appending(path: "u.json").path, folder.url.appending(path: "t.json").path)
        try #"{"u-1": {"name": "Ada"}}"#.write(toFile: users, atomically: true, encoding: .utf8)
        try #"{"de": {"title": "Neu"}}"#.write(toFile: texts, atomically: true, encoding: .utf8)
        let members = try MessagesSendCommand.parse(["--users", users, "--title", "New", "--localized", texts])
            .members()
        #expect(members["to"] == ["users": ["u-1": ["name": "Ada"]]])
        #expect(members["localized"] == ["de": ["title": "Neu"]])
    }
}
