import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import CarillonServer
import Foundation
import Testing

/// A backup of one phone, restored onto another while the first goes on.
@MainActor
@Suite("A restore onto a second phone", .serialized)
struct RestoreTests {
    /// Makes the app of one phone find the files of another's, written by an SDK that did not note whose they are.
    private func restore(_ old: TestSystemPhone, onto new: TestSystemPhone) async throws {
        try await new.phone.forceQuit(InProcessService.topic)
        let folder = new.sdkFolder
        try FileManager.default.removeItem(at: folder)
        try FileManager.default.copyItem(at: old.sdkFolder, to: folder)
        let file = folder.appending(path: StoreFileName.identity)
        guard case .object(var identity) = try JSONValue(parsing: Data(contentsOf: file)) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        identity["vendor"] = nil
        try JSONValue.object(identity).encoded().write(to: file)
        try await new.phone.openApp(InProcessService.topic)
    }

    @Test(
        "the phone that was there before is told that another has its installation, registers anew, and both get what comes"
    )
    func restored() async throws {
        try await TestSystem.run { system in
            let old = try await system.addPhone("old")
            try await system.advance(by: .seconds(2))
            await old.phone.pressHome()
            let installation = try #require(old.carillon?.installationID)
            let new = try await system.addPhone("new")
            try await system.advance(by: .seconds(2))
            try await restore(old, onto: new)
            try await system.advance(by: .seconds(10))
            #expect(new.carillon?.installationID == installation)
            #expect(
                try await system.service.store.devices.device(installation)?.token?.data == Data("token of new".utf8))

            try await old.phone.openApp(InProcessService.topic)
            try await system.settle(until: {
                old.carillon?.user == TestSystem.user && old.carillon?.installationID != installation
            })
            try await system.advance(by: .seconds(10))
            let renewed = try #require(old.carillon?.installationID)
            #expect(renewed != installation)
            #expect(old.log.all.contains(.installationWasCopied) && !new.log.all.contains(.installationWasCopied))
            let known = try await system.service.store.devices.device(renewed)
            #expect(known?.token?.data == Data("token of old".utf8), "\(old.log.all)\n\(system.runLog.text)")
            #expect(known?.user == TestSystem.user)
            #expect(old.carillon?.user == TestSystem.user && new.carillon?.installationID == installation)

            for phone in [old, new] { await phone.phone.pressHome() }
            try await system.service.backend(
                "POST", "/v1/notifications",
                ["to": ["user": .string(TestSystem.user)], "payload": ["aps": ["alert": "for both"]], "id": "m1"])
            try await system.advance(by: .seconds(2))
            #expect(old.onScreen == ["m1"] && new.onScreen == ["m1"])
        }
    }
}
