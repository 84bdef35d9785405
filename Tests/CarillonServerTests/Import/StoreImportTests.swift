import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A store takes over another provider's devices", .serialized)
struct StoreImportTests {
    private func imported(
        _ token: String, user: String? = "u1", tags: [String]? = ["vip"], locale: String? = "de", id: String? = nil,
        environment: APNsEnvironment = .sandbox
    ) -> ImportedDevice {
        ImportedDevice(
            app: chime, environment: environment, token: testToken(token), user: user,
            facts: DeviceFacts(permission: .notDetermined, locale: locale, tags: tags), id: id ?? "imported-\(token)")
    }

    private func shown(_ store: Store, at now: Timestamp = noon) async throws -> [ClaimedDelivery] {
        try await store.claim(everything(), at: now).deliveries.filter { $0.purpose == .show }
    }

    @Test("they count as confirmed, are in audiences, and get their user's pushes", arguments: StoreEngine.allCases)
    func added(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        #expect(
            try await store.importDevices([imported("aa"), imported("bb", user: nil, tags: nil)], at: noon) == [
                .added, .added,
            ])
        #expect(try await store.count(.everyone, of: chime, at: noon) == 2)
        #expect(
            try await store.count(.matching(try AudienceParser.parse("tag:vip and locale:de")), of: chime, at: noon)
                == 1)
        #expect(try await store.count(.everyone, of: ferry, at: noon) == 0)
        _ = try await store.accept(try message("m", to: .users(["u1"])), at: noon)
        #expect(try await shown(store).map(\.token.hex) == ["aa"])
        let ordinals = [
            try await store.device("imported-aa")?.ordinal, try await store.device("imported-bb")?.ordinal,
        ]
        #expect(Set(ordinals).count == 2 && !ordinals.contains(nil))
    }

    @Test(
        "again, they are known by app, environment and token; what is said anew counts", arguments: StoreEngine.allCases
    )
    func again(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.importDevices([imported("aa")], at: noon)
        let outcomes = try await store.importDevices(
            [
                imported("AA", id: "other"), imported("aa", tags: nil, locale: nil, id: "other"),
                imported("aa", user: "u2", tags: ["new"], id: "other"),
                imported("aa", id: "production", environment: .production),
            ], at: noon)
        #expect(outcomes == [.unchanged, .unchanged, .updated, .added])
        let device = try #require(try await store.device("imported-aa"))
        #expect(device.user == "u2" && device.facts.tags == ["new"] && device.facts.locale == "de")
        #expect(try await store.count(.matching(try AudienceParser.parse("tag:new")), of: chime, at: noon) == 1)
    }

    @Test(
        "a token that is named twice at once is one device, as the later record says", arguments: StoreEngine.allCases)
    func twice(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        let outcomes = try await store.importDevices(
            [
                imported("aa"), imported("bb"), imported("aa", user: "u2", tags: ["new"], id: "other"),
                imported("aa", user: "u2", id: "third", environment: .production),
                imported("AA", user: "u2", tags: nil),
            ], at: noon)
        #expect(outcomes == [.added, .added, .updated, .added, .unchanged])
        let device = try #require(try await store.device("imported-aa"))
        #expect(device.user == "u2" && device.facts.tags == ["new"])
        #expect(try await store.device("other") == nil)
        #expect(try await store.count(.everyone, of: chime, at: noon) == 3)
        #expect(try await store.count(.matching(try AudienceParser.parse("tag:new")), of: chime, at: noon) == 1)
    }

    @Test(
        "a user's devices are counted with those that were there and those beside it", arguments: StoreEngine.allCases)
    func limit(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        func device(_ number: Int, of user: String) -> ImportedDevice {
            imported("aa\(100 + number)0", user: user, id: "\(user)-\(number)")
        }
        let some = (1..<StoreLimits.devicesPerUser).map { device($0, of: "u") }
        #expect(try await store.importDevices(some, at: noon).allSatisfy { $0 == .added })
        let full: ImportOutcome = .refused("its user has \(StoreLimits.devicesPerUser) devices already")
        let last = StoreLimits.devicesPerUser
        #expect(
            try await store.importDevices([device(last, of: "u"), device(last + 1, of: "u")], at: noon) == [
                .added, full,
            ])
        // One goes to another user, and makes room.
        let moved = imported("aa1010", user: "other", id: "moved")
        #expect(try await store.importDevices([moved, device(last + 1, of: "u")], at: noon) == [.updated, .added])
        #expect(try await store.importDevices([device(last + 2, of: "u")], at: noon) == [full])
    }

    @Test("an installation that is registered is never changed", arguments: StoreEngine.allCases)
    func kept(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol([device("phone", user: "mine", token: "aa", tags: ["own"])], at: noon)
        let before = try await store.device("phone")
        #expect(try await store.importDevices([imported("aa")], at: noon) == [.kept])
        #expect(try await store.device("phone") == before)
    }

    @Test(
        "who registers with the token takes over its place, its tags, and what waits for its user",
        arguments: StoreEngine.allCases)
    func takenOver(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.importDevices([imported("aa")], at: noon)
        let old = try #require(try await store.device("imported-aa"))
        _ = try await store.accept(try message("first", to: .users(["u1"])), at: noon)
        _ = try await store.deliverAll()
        _ = try await store.accept(try message("waiting", to: .users(["u1"]), text: "x"), at: noon)
        guard case .registered(let device) = try await store.register(device("phone", token: "aa"), at: noon) else {
            Issue.record("refused")
            return
        }
        #expect(device.ordinal == old.ordinal && device.confirmed == noon && device.state == .active)
        #expect(
            device.facts.tags == ["vip"] && device.user == "u1" && device.userIsImported && device.signedInUser == nil)
        #expect(try await store.device("imported-aa") == nil)
        #expect(try await shown(store).map { "\($0.device) \($0.message?.id.rawValue ?? "")" } == ["phone waiting"])
        #expect(try await store.kinds("first", on: "phone").contains(.accepted), "its timeline goes with it")
        #expect(try await store.count(.matching(try AudienceParser.parse("tag:vip")), of: chime, at: noon) == 1)
        // Registering again without tags keeps them; naming some ends that.
        var again = CarillonServerTests.device("phone", token: "aa")
        again.facts.tags = nil
        _ = try await store.register(again, at: noon)
        #expect(try await store.device("phone")?.facts.tags == ["vip"])
        again.facts.tags = ["own"]
        _ = try await store.register(again, at: noon)
        again.facts.tags = nil
        _ = try await store.register(again, at: noon)
        #expect(try await store.device("phone")?.facts.tags ?? [] == [])
        #expect(try await store.importDevices([imported("aa")], at: noon) == [.kept])
    }

    @Test("a user who signs in is confirmed, and another takes the place of the imported one", arguments: ["u1", "u2"])
    func signedIn(_ user: String) async throws {
        let store = try await StoreEngine.sqlite.make()
        _ = try await store.importDevices([imported("aa")], at: noon)
        _ = try await store.accept(try message("m", to: .users(["u1"])), at: noon)
        _ = try await store.register(device("phone", user: user, token: "aa"), at: noon)
        #expect(try await store.device("phone")?.signedInUser == user)
        #expect(try await shown(store).count == (user == "u1" ? 1 : 0))
    }

    @Test("who only knows the token cannot carry the user to a token of their own", arguments: StoreEngine.allCases)
    func theft(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.importDevices([imported("aa")], at: noon)
        _ = try await store.register(device("thief", token: "aa"), at: noon)
        _ = try await store.change("thief", DeviceUpdate(token: testToken("ee"), facts: [:], nonce: "n"), at: noon)
        #expect(try await store.device("thief")?.user == nil)
        _ = try await store.accept(try message("m", to: .users(["u1"])), at: noon)
        #expect(try await shown(store).isEmpty)
        // By way of a second import too.
        _ = try await store.importDevices([imported("bb")], at: noon)
        _ = try await store.register(device("thief", token: "bb"), at: noon)
        _ = try await store.register(device("thief", token: "cc"), at: noon)
        #expect(try await store.device("thief")?.user == nil)
    }

    @Test(
        "an installation that was registered with another token before keeps its own place and messages",
        arguments: StoreEngine.allCases)
    func merged(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.importDevices([imported("aa")], at: noon)
        try await store.enrol([device("phone", user: "u9", token: "bb", tags: ["own"])], at: noon)
        let before = try #require(try await store.device("phone"))
        _ = try await store.accept(try message("m", to: .everyone), at: noon)
        _ = try await store.register(device("phone", token: "aa", tags: ["own"]), at: noon)
        let after = try #require(try await store.device("phone"))
        #expect(after.ordinal == before.ordinal && after.user == "u9" && after.signedInUser == "u9")
        #expect(after.facts.tags == ["own"])
        #expect(try await shown(store).map(\.device) == ["phone"], "once")
    }

    @Test("the first 410 ends an imported token, whenever it was imported", arguments: StoreEngine.allCases)
    func gone(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.importDevices([imported("aa")], at: noon)
        _ = try await store.accept(try message("m", to: .users(["u1"])), at: noon)
        let claimed = try await shown(store)
        try await store.settle(
            claimed.map { $0.settled(rejected("Unregistered", 410, since: noon - .seconds(86_400))) }, at: noon)
        #expect(try await store.device("imported-aa")?.state == .unregistered)
        #expect(try await store.importDevices([imported("aa")], at: noon) == [.unchanged])
        #expect(try await store.device("imported-aa")?.state == .unregistered, "the file does not bring it back")
        _ = try await store.register(device("phone", token: "aa"), at: noon)
        #expect(try await store.device("phone")?.state == .active)
        #expect(try await store.device("phone")?.confirmed == nil, "it is tried anew")
    }

    @Test("a user has no more devices than others", arguments: StoreEngine.allCases)
    func surplus(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        let many = (0...StoreLimits.devicesPerUser).map { imported(String(format: "%04x", $0)) }
        let outcomes = try await store.importDevices(many, at: noon)
        #expect(outcomes.count { $0 == .added } == StoreLimits.devicesPerUser)
        guard case .refused(let reason) = outcomes.last else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(reason.contains("100 devices"))
    }
}
