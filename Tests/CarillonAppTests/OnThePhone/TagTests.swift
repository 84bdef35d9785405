import CarillonApp
import CarillonCore
import CarillonMessaging
import Testing

@MainActor
@Suite("Tags are set while the app runs")
struct TagTests {
    @Test("at once, offline too, in the order of the calls; the service is told later, and a relaunch keeps them")
    func offline() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed()
            let carillon = try #require(fixture.app?.carillon)
            fixture.service[\.isDown] = true
            try carillon.setTags(["sports", "news", "sports"])
            try carillon.addTags(["local"])
            carillon.removeTags(["news", "unknown"])
            #expect(carillon.tags == ["sports", "local"])
            try await fixture.settle()
            try await fixture.quit()
            fixture.service[\.isDown] = false
            fixture.clock.advance(by: .seconds(3600))
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.app?.carillon?.tags == ["sports", "local"])
            #expect(fixture.service.changes.last?.facts["tags"] == ["sports", "local"])
            fixture.app?.carillon?.removeTags(["sports", "local"])
            try await fixture.settle()
            #expect(fixture.service.changes.last?.facts["tags"] == [])
        }
    }

    @Test("one that the service would refuse is refused where it is set, with the reason, and the others stay")
    func refused() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed()
            let carillon = try #require(fixture.app?.carillon)
            let most = (1...AppLimits.tagsPerDevice).map { "tag-\($0)" }
            try carillon.setTags(most)
            #expect(throws: Carillon.TagError.tooMany(33)) { try carillon.addTags(["one more"]) }
            #expect(throws: Carillon.TagError.empty) { try carillon.setTags(["a", ""]) }
            let long = String(repeating: "ä", count: 33)
            #expect(throws: Carillon.TagError.tooLong(long)) { try carillon.setTags([long]) }
            #expect(carillon.tags == most)
            try await fixture.settle()
            #expect(fixture.service.changes.last?.facts["tags"] == .array(most.map(JSONValue.string)))
        }
    }

    @Test("a fact that is longer than the service takes is cut, and does not hold up the registration")
    func longVersion() async throws {
        try await AppFixture.run { fixture in
            var plan = try fixture.plan()
            plan.configuration.appVersion = String(repeating: "1.", count: 100)
            try await fixture.openAllowed(plan)
            #expect(fixture.service.registrations.last?.facts.appVersion?.utf8.count == DeviceFacts.labelByteLimit)
        }
    }
}
