import CarillonCore
import CarillonServer
import TestSupport
import Testing

@testable import CarillonPhones

@Suite("Reset the demo")
struct DemoResetTests {
    @Test("the page shows no recalled message again, also when its news come late", .timeLimit(.minutes(5)))
    func lateNews() async throws {
        try await StackWithoutPhones.run(in: try TemporaryFolder()) { stack in
            _ = try await StackWithoutPhones.send("first", stack)
            try await DemoReset(stack: stack, phoneHost: PhoneHost { [] }).run()
            let first = MessageReference(try MessageID("first"), of: stack.app.number)
            stack.service.changedMessages.publish([first])
            // News come in order: when the page shows the second message, it has heard of the first.
            let told = try await StackWithoutPhones.send("second", stack)
            #expect(!told.contains(#""first""#))
            #expect(stack.pageState.withIndex { $0.messages.map(\.rawValue) } == ["second"])
        }
    }
}
