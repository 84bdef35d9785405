import CarillonCore
import Synchronization
import Testing

@testable import CarillonSimulator

@Suite("Pushes for widgets that wait for their device") struct WidgetStorageTests {
    @Test("the newest keeps a place of its own: an alert and a reload do not replace each other")
    func places() async throws {
        try await SimulatorFixture.with { fixture in
            let sender = ForeignSender(fixture: fixture)
            let arrived = Mutex<[String]>([])
            let topic = "\(SimulatorFixture.bundleID).push-type.widgets"
            let (token, widgets) = (fixture.token(), fixture.token(topic: topic))
            func reload(_ number: Int) -> ForeignSender.Request {
                .alert(
                    to: widgets, replacing: ["apns-topic": topic, "apns-push-type": "widgets"],
                    body: #"{"aps":{"content-changed":true},"n":\#(number)}"#)
            }
            let answers = try await sender.send([reload(1), .alert(to: token), reload(2)])
            #expect(answers.map(\.status) == [200, 200, 200])
            fixture.simulator.devices.connect(device: "phone") { push in
                arrived.withLock { $0.append(String(decoding: push.payload, as: UTF8.self)) }
            }
            #expect(
                arrived.withLock(\.self).sorted() == [
                    #"{"aps":{"alert":"Hello"}}"#, #"{"aps":{"content-changed":true},"n":2}"#,
                ])
        }
    }
}
