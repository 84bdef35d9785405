import CarillonCore
import Foundation
import TestSupport
import Testing

/// `carillon channels` and `carillon push --channel`, as a person uses them.
@Suite("carillon channels", .serialized)
struct ChannelsCommandTests {
    @Test("a channel is created, shown, listed, broadcast to and deleted; what is gone exits with 1 and a reason")
    func life() async throws {
        try await SimulatedAPNs.run { apns in
            let made = try await apns.channels("create", "--store")
            let channel = try #require(made.lines.first)
            #expect(made.status == 0 && made.lines.count == 1, "\(made.transcript)")
            let shown = try await apns.channels("show", channel, "--json")
            #expect(try JSONValue(parsing: shown.output)["message_storage_policy"] == 1, "\(shown.transcript)")
            #expect(try await apns.channels("list").lines == [channel])

            let payload = #"{"aps":{"event":"update","content-state":{"score":1}}}"#
            let sent = try await apns.broadcast(payload, to: channel, more: ["--expires-in", "60", "--priority", "5"])
            #expect(sent.status == 0 && sent.lines.first == "200 accepted", "\(sent.transcript)")

            #expect(try await apns.channels("delete", channel).status == 0)
            #expect(try await apns.channels("list").output.isEmpty)
            let gone = try await apns.channels("show", channel, "--json")
            #expect(gone.status == 1)
            #expect(try JSONValue(parsing: gone.output)["reason"] == "ChannelNotRegistered", "\(gone.transcript)")
            let late = try await apns.broadcast(payload, to: channel)
            #expect(late.status == 1 && late.lines.first == "400 ChannelNotRegistered", "\(late.transcript)")
        }
    }

    @Test("a mistake in the options is named, and nothing is sent")
    func mistakes() async throws {
        let credential = ["--key", "/no/such/AuthKey_ABC123DEFG.p8", "--team-id", "TEAM123456"]
        let push = ["push", "--topic", "com.example.chime", "--payload", "-"] + credential
        for (arguments, says) in [
            (push, "--token or --channel is missing"),
            (push + ["--token", "ab", "--channel", "AAAA"], "use either --token or --channel, not both"),
            (push + ["--channel", "AAAA", "--collapse-id", "x"], "--collapse-id is for --token"),
            (push + ["--channel", "AAAA", "--push-type", "alert"], "a broadcast is always of type liveactivity"),
            (["channels", "list"] + credential, "--topic"),
            (["channels", "list", "--topic", "a"] + credential, "there is no such file"),
        ] {
            let run = try await CarillonProgram.run(arguments, input: "{}")
            #expect(run.status != 0 && run.errors.contains(says), "\(run.transcript)")
        }
        try await SimulatedAPNs.run { apns in
            let name = try await apns.channels("list", topic: "com.example/chime")
            #expect(name.status == 1 && name.output.contains("The bundle id is none."), "\(name.transcript)")
            let other = try await apns.channels("list", topic: "com.example.other")
            #expect(other.status == 1 && other.lines.first == "403 TopicMismatch", "\(other.transcript)")
        }
    }
}
