import CarillonDevice
import Ferry
import Testing

@MainActor @Test("a late ferry is announced, and a tap shows the departure")
func lateFerry() async throws {
    try await AppUnderTest.run(ferry) { app in
        try await app.openAndAllow()
        try await app.suspend()
        try await app.push(["aps": ["alert": "F7 is 20 minutes late"]], collapseID: "F7")
        #expect(app.phone.banner?.notification.request.content.body == "F7 is 20 minutes late")
        try await app.tap("F7")
        #expect(app.texts.contains("F7: on time"))
    }
}
