import CarillonCore
import CarillonDevice
import Testing
import UIKit

@testable import Ticker

/// The entry point that the compiler makes of the app's main.swift; the package manager names it so.
@_silgen_name("Ticker_main")
private func runTickerMain(
    _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32

@MainActor @Suite("Ticker: a main.swift with UIApplicationMain") struct TickerTests {
    private let id = "app.ticker"

    @Test("is started by its main.swift, at every launch with a delegate of its own")
    func entryPoint() async throws {
        try await TestPhone.run { test in
            test.phone.install(
                AppBundle(
                    bundleID: id, name: "Ticker",
                    main: { _ = runTickerMain(CommandLine.argc, CommandLine.unsafeArgv) }))
            try await test.phone.openApp(id)
            let first = try #require(test.phone.delegate(of: id) as? TickerDelegate)
            try await test.push(["aps": ["content-available": 1]], type: .background, to: id)
            #expect(test.texts(of: id) == ["1 pushes"])
            try test.phone.system.terminate(id)
            let woken = try await test.push(["aps": ["content-available": 1]], type: .background, to: id)
            #expect(woken.wake?.kind == .launched && woken.wake?.answer == .newData)
            try await test.phone.openApp(id)
            #expect(test.texts(of: id) == ["1 pushes"])
            #expect(test.phone.delegate(of: id) !== first)
        }
    }
}
