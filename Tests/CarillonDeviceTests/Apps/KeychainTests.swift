import AppleNames
import CarillonDevice
import Foundation
import Testing
import UIKit

@testable import Unchanged

/// The keychain of Security, as an app uses it that imports the module by name.
@MainActor @Suite("The keychain") struct KeychainTests {
    private let id = "app.keys"

    private func run(_ body: @MainActor (AppUnderTest) async throws -> Void) async throws {
        try await AppUnderTest.run(
            AppBundle(bundleID: id, name: "Keys", makeDelegate: { KeysApp() })
        ) { app in
            app.phone.rules.pushNeedsToken = false
            try await app.open()
            try await body(app)
        }
    }

    @Test("an item is there once, is found by what it has, is changed and deleted")
    func items() async throws {
        try await run { app in
            try await app.phone.value(in: id) {
                #expect(TokenKeychain.read("ada") == .failure(.init(status: errSecItemNotFound)))
                #expect(TokenKeychain.write("1", for: "ada") == errSecSuccess)
                #expect(TokenKeychain.write("2", for: "bob") == errSecSuccess)
                #expect(TokenKeychain.read("ada") == .success("1"))
                #expect(TokenKeychain.write("3", for: "ada") == errSecSuccess)
                #expect(TokenKeychain.read("ada") == .success("3") && TokenKeychain.read("bob") == .success("2"))
                #expect(TokenKeychain.accounts().sorted() == ["ada", "bob"])
                #expect(TokenKeychain.delete("ada") == errSecSuccess)
                #expect(TokenKeychain.delete("ada") == errSecItemNotFound && TokenKeychain.accounts() == ["bob"])
                #expect(SecItemAdd([kSecAttrAccount: "x"] as CFDictionary, nil) == errSecParam)
            }
        }
    }

    @Test("it outlives a launch, is another on each phone, and not there before the first unlock")
    func lives() async throws {
        try await run { app in
            try await app.phone.value(in: id) { _ = TokenKeychain.write("1", for: "ada") }
            try await app.forceQuit()
            try await app.open()
            try await app.phone.value(in: id) { #expect(TokenKeychain.read("ada") == .success("1")) }
        }
        try await run { app in
            try await app.phone.value(in: id) { #expect(TokenKeychain.accounts().isEmpty) }
        }
        #expect(TokenKeychain.read("ada") == .failure(.init(status: errSecNotAvailable)))
    }

    @Test("an extension sees what is in a group by name, and not what the app has for itself")
    func groups() async throws {
        let callLog = CallLog()
        let bundle = AppBundle(
            bundleID: id, name: "Keys", makeDelegate: { KeysApp() }, makeServiceExtension: { ReadingExtension(callLog) }
        )
        try await AppUnderTest.run(bundle) { app in
            app.phone.rules.pushNeedsToken = false
            try await app.openAndAllow()
            try await app.phone.value(in: id) {
                _ = TokenKeychain.write("own", for: "ada")
                _ = TokenKeychain.write("shared", for: "bob", group: TokenKeychain.group)
                #expect(TokenKeychain.read("bob") == .success("shared"))
                #expect(TokenKeychain.read("ada", group: TokenKeychain.group) != .success("own"))
            }
            try await app.push(["aps": ["alert": "A", "mutable-content": 1]])
            #expect(callLog.lines == ["nil shared bob"])
        }
    }

    @Test("random bytes differ, and SQLite is there")
    func others() {
        var (first, second) = ([UInt8](repeating: 0, count: 16), [UInt8](repeating: 0, count: 16))
        #expect(SecRandomCopyBytes(kSecRandomDefault, 16, &first) == errSecSuccess)
        #expect(SecRandomCopyBytes(kSecRandomDefault, 16, &second) == errSecSuccess && first != second)
        #expect(TokenKeychain.databaseVersion > 3_000_000)
    }
}

private final class KeysApp: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
        return true
    }
}

private final class ReadingExtension: UNNotificationServiceExtension {
    private let callLog: CallLog

    @MainActor init(_ callLog: CallLog) {
        self.callLog = callLog
        super.init()
    }

    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let own = (try? TokenKeychain.read("ada").get()) ?? nil
        let shared = (try? TokenKeychain.read("bob").get()) ?? nil
        let (callLog, accounts) = (callLog, TokenKeychain.accounts().joined(separator: ","))
        MainActor.assumeIsolated { callLog.write("\(own ?? "nil") \(shared ?? "nil") \(accounts)") }
        contentHandler(request.content)
    }
}
