import CarillonAPNs
import CarillonCore
import Foundation
import TestSupport
import Testing

@testable import CommandSupport
@testable import ServiceSupport

@Suite("The topic of a push sent by hand")
struct PushTopicTests {
    private func advice(_ topic: String, _ type: PushType, _ reason: APNsReason = .topicDisallowed) -> String {
        let rejection = APNsRejection(reason: reason, status: 400, timestamp: nil, apnsID: UUID())
        return PushTopic(given: topic, pushType: type).advice(on: rejection) ?? ""
    }

    @Test("the suffix of the push type is added once", arguments: PushType.allCases)
    func suffix(type: PushType) {
        let whole = "com.example.app" + type.topicSuffix
        for given in ["com.example.app", whole] {
            #expect(PushTopic(given: given, pushType: type).sent == whole)
            #expect(PushTopic(given: given, pushType: type).bundleID == "com.example.app")
        }
    }

    @Test("the advice names the topic that was sent, and what to give for an app whose bundle id ends with a suffix")
    func advice() {
        #expect(advice("com.example.voip", .voip).contains("give com.example.voip.voip"))
        #expect(advice("com.example.voip.voip", .voip).contains("com.example.voip.voip was sent as it was given"))
        #expect(advice("com.example.app", .voip).contains("The topic was com.example.app.voip."))
        #expect(advice("com.example.app.voip-ptt", .alert).contains("give --push-type pushtotalk"))
        #expect(advice("com.example.app.push-type.liveactivity", .alert).contains("give --push-type liveactivity"))
        #expect(advice("com.example.app", .alert, .payloadEmpty).isEmpty)
    }
}

@Suite("A credential that a service reads again")
struct LastingCredentialTests {
    @Test("a pipe and an open file of the process are refused with what to do; a file, a link and a variable are not")
    func paths() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, link, pipe) = (
            folder.appending(path: "key.p8"), folder.appending(path: "link.p8"), folder.appending(path: "pipe.p8")
        )
        try TemporaryFolder.write(secret: Data("key".utf8), to: file)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        #expect(mkfifo(pipe.path, 0o600) == 0)
        for path in [file.path, link.path, folder.path, "env:CARILLON_KEY", folder.appending(path: "none").path] {
            try CommandFile.checkIsForService(path, option: "--key")
        }
        for path in [pipe.path, "/dev/fd/0", "/dev/stdin", "/proc/self/fd/0", "/dev/null"] {
            let error = #expect(throws: (any Error).self, "\(path)") {
                try CommandFile.checkIsForService(path, option: "--key")
            }
            #expect("\(error.debugDescription)".contains("--key env:CARILLON_KEY"), "\(path)")
        }
    }

    @Test(
        "a file that every user of the machine can read is refused with the command that mends it",
        arguments: [0o604, 0o640])
    func exposed(_ mode: Int) throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "key.p8")
        try TemporaryFolder.write(secret: Data("key".utf8), to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        let check = { try CommandFile.checkIsForService(file.path, option: "--key") }
        guard mode == 0o604 else { return try check() }
        let error = #expect(throws: (any Error).self, performing: check)
        #expect("\(error.debugDescription)".contains("--key: every user of this machine can read \(file.path)"))
        #expect("\(error.debugDescription)".contains("run 'chmod o-rwx \(file.path)'"))
    }
}
