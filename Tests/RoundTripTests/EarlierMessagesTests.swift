import CarillonCore
import TestSupport
import Testing

@testable import CarillonPhones

@Suite("A page that starts again", .timeLimit(.minutes(5)))
struct EarlierMessagesTests {
    @Test("shows the newest twenty messages from before")
    func newest() async throws {
        let folder = try TemporaryFolder()
        try await StackWithoutPhones.run(in: folder) { stack in
            for number in 1...21 { _ = try await StackWithoutPhones.send("m\(number)", stack) }
        }
        try await StackWithoutPhones.run(in: folder) { stack in
            _ = try await StackWithoutPhones.send("new", stack)
            let shown = stack.pageState.withIndex { $0.messages.map(\.rawValue) }
            #expect(Set(shown) == Set((2...21).map { "m\($0)" } + ["new"]))
        }
    }
}
