import CarillonCore
import CarillonDevice
import Foundation
import TestSupport
import Testing
import UIKit

/// A way for an app's code to wait for the network or for a queue.
enum Hop: CaseIterable, Sendable {
    case sharedCompletion, ownCompletion, ownDelegate, ownDelegateOnMain, sharedAsync, ownAsync, after, backgroundQueue
}

/// Badges the app that it finds at the end of its way.
final class TravellingApp: UIResponder, UIApplicationDelegate {
    private let callLog: CallLog
    private let url: URL
    private let hop: Hop
    private var session: URLSession?

    init(_ callLog: CallLog, _ url: URL, _ hop: Hop) {
        (self.callLog, self.url, self.hop) = (callLog, url, hop)
        super.init()
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
        let arrived: @Sendable (String) -> Void = { [callLog] outcome in
            let center = UNUserNotificationCenter.current()
            DispatchQueue.main.async { callLog.write(outcome) }
            center.setBadgeCount(3)
        }
        switch hop {
        case .sharedCompletion:
            URLSession.shared.dataTask(with: url) { data, _, error in arrived(outcome(data, error)) }.resume()
        case .ownCompletion:
            let session = URLSession(configuration: .ephemeral)
            session.dataTask(with: url) { data, _, error in arrived(outcome(data, error)) }.resume()
        case .ownDelegate, .ownDelegateOnMain:
            let queue: OperationQueue? = hop == .ownDelegate ? nil : .main
            let session = URLSession(configuration: .default, delegate: Hearer(arrived), delegateQueue: queue)
            session.dataTask(with: url).resume()
        case .sharedAsync, .ownAsync:
            let session = hop == .sharedAsync ? URLSession.shared : URLSession(configuration: .default)
            Task { [url] in
                do {
                    arrived(outcome(try await session.data(from: url).0, nil))
                } catch {
                    arrived(outcome(nil, error))
                }
            }
        case .after: DispatchQueue.main.asyncAfter(deadline: .now() + 0.01) { arrived("loaded") }
        case .backgroundQueue: DispatchQueue.global().async { arrived("loaded") }
        }
    }
}

private func outcome(_ data: Data?, _ error: (any Error)?) -> String {
    if let error = error as? URLError { return error.code == .notConnectedToInternet ? "offline" : "failed" }
    return data == Data("hello".utf8) ? "loaded" : "something else"
}

/// Hears the end of a task as a delegate.
private final class Hearer: NSObject, URLSessionDataDelegate {
    private let arrived: @Sendable (String) -> Void

    init(_ arrived: @escaping @Sendable (String) -> Void) { self.arrived = arrived }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        arrived(outcome(Data("hello".utf8), error))
    }
}

@MainActor @Suite("Code that comes back from the network or a queue") struct SessionTests {
    private let id = TestPhone.bundleID

    private func open(_ hop: Hop, _ url: URL, offline: Bool = false) async throws -> TestPhone {
        let test = TestPhone()
        try test.installPermitted { TravellingApp($0, url, hop) }
        if offline { await test.phone.goOffline() }
        try await test.phone.openApp(id)
        return test
    }

    @Test("finds its own phone among several", arguments: Hop.allCases)
    func findsItsPhone(_ hop: Hop) async throws {
        let server = try WebServer(["/hello": .text("hello")])
        defer { server.stop() }
        var phones: [TestPhone] = []
        for _ in 0..<3 { phones.append(try await open(hop, try server.url("/hello"))) }
        for test in phones {
            try await test.phone.until("its app has badged itself") { $0.badge(of: TestPhone.bundleID) == 3 }
            try await test.phone.until("its app has written") { _ in !test.callLog.lines.isEmpty }
            #expect(test.callLog.lines == ["loaded"])
        }
        for test in phones { await test.finish() }
    }

    @Test(
        "is told that the phone is offline, on the shared session and on one of its own",
        arguments: [.sharedCompletion, .ownCompletion, .ownDelegate, .ownDelegateOnMain, .sharedAsync, .ownAsync]
            as [Hop])
    func offline(_ hop: Hop) async throws {
        let server = try WebServer(["/hello": .text("hello")])
        defer { server.stop() }
        let online = try await open(hop, try server.url("/hello"))
        let test = try await open(hop, try server.url("/hello"), offline: true)
        try await test.phone.until("its app has written") { _ in !test.callLog.lines.isEmpty }
        #expect(test.callLog.lines == ["offline"])
        try await online.phone.until("the other app has written") { _ in !online.callLog.lines.isEmpty }
        #expect(online.callLog.lines == ["loaded"])
        #expect(server.paths == ["/hello"])
        await test.finish()
        await online.finish()
    }

    @Test("never comes back once the app has ended")
    func ended() async throws {
        let server = try WebServer(["/never": .silent])
        defer { server.stop() }
        let test = try await open(.sharedCompletion, try server.url("/never"))
        try test.phone.system.terminate(id)
        try await test.phone.settled()
        #expect(test.phone.badge(of: id) == 0)
        await test.finish()
    }
}
