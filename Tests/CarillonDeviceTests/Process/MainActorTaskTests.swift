import CarillonDevice
import Testing
import UIKit

@MainActor @Suite("An app's tasks of the main actor") struct MainActorTaskTests {
    @Test("begin in the order in which the app made them, and in turn with its blocks on the main queue")
    func order() async throws {
        try await AppUnderTest.run({ QuietApp() }) { app in
            try await app.open()
            let begun = Begun()
            await app.phone.run(in: app.bundleID) {
                for number in 0..<500 {
                    Task { begun.numbers.append(2 * number) }
                    DispatchQueue.main.async { MainActor.assumeIsolated { begun.numbers.append(2 * number + 1) } }
                }
            }
            try await app.phone.settled()
            #expect(begun.numbers.count == 1000 && begun.numbers == begun.numbers.sorted())
        }
    }

    private final class Begun { var numbers: [Int] = [] }
}
