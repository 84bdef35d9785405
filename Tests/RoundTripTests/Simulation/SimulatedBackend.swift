import CarillonCore
import Foundation
import FoundationNetworking
import TestSupport

/// A customer's backend that asks again until it has an answer, and knows what it was promised.
@MainActor
final class SimulatedBackend {
    /// A message as the backend knows it.
    struct Known {
        let id: String
        let content: SimulatedMessage
        var revision = 1
        var isRecalled = false
        /// Read, as far as the backend has said so; by these users.
        var readers: Set<Int> = []
    }

    private(set) var messages: [Known] = []
    /// Answers other than success and "later", which nothing in the simulation explains.
    private(set) var refusals: [String] = []
    private var underWay: [Task<Void, Never>] = []
    private var last: [Int: Task<Void, Never>] = [:]
    private let service: URL
    private let key: String
    private let name: String
    private let clock: any CarillonClock

    /// - Parameters:
    ///   - service: where the service answers.
    ///   - key: an API key that may do everything.
    ///   - name: the beginning of its messages' ids.
    ///   - clock: by which it waits before it asks again.
    init(service: URL, key: String, name: String, clock: any CarillonClock) {
        (self.service, self.key, self.name, self.clock) = (service, key, name, clock)
    }

    func send(_ content: SimulatedMessage) {
        messages.append(Known(id: "\(name)-\(messages.count)", content: content))
        ask(messages.count - 1) { try await self.put($0) }
    }

    func replace(_ number: Int) {
        ask(number) { number in
            self.messages[number].revision += 1
            self.messages[number].isRecalled = false
            self.messages[number].readers = []
            try await self.put(number)
        }
    }

    func recall(_ number: Int) {
        ask(number) { number in
            try await self.call("DELETE", "/v1/notifications/\(self.messages[number].id)")
            self.messages[number].isRecalled = true
        }
    }

    func read(_ number: Int, by user: Int) {
        ask(number) { number in
            let id = JSONValue.string(self.messages[number].id)
            try await self.call("POST", "/v1/users/user-\(user)/read", ["messages": [id]])
            self.messages[number].readers.insert(user)
        }
    }

    /// Waits until everything that was asked for is promised.
    func finish() async {
        for task in underWay { await task.value }
        underWay = []
    }

    private func put(_ number: Int) async throws {
        let message = messages[number]
        let recipients: JSONValue = message.content.user.map { ["user": .string("user-\($0)")] } ?? ["everyone": true]
        try await call(
            "POST", "/v1/notifications",
            [
                "id": .string(message.id), "to": recipients, "mode": .string(message.content.mode),
                "payload": ["aps": ["alert": .string("\(message.id), revision \(message.revision)")]],
            ])
    }

    /// One request about a message after the other, as a backend's queue has it; other messages meanwhile.
    private func ask(_ number: Int, _ request: @escaping @MainActor (Int) async throws -> Void) {
        guard messages.indices.contains(number) else { return }
        let former = last[number]
        let task = Task {
            await former?.value
            do {
                try await request(number)
            } catch {
                refusals.append("\(error)")
            }
        }
        last[number] = task
        underWay.append(task)
    }

    /// Asks until there is an answer that holds.
    private func call(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws {
        guard let url = URL(string: path, relativeTo: service) else { throw SimulationFailure("\(path) is no path") }
        var request = URLRequest(url: url, timeoutInterval: 20)
        request.httpMethod = method
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try body?.encoded()
        while true {
            guard let (data, response) = try? await ProgramSession.own.data(for: request),
                let status = (response as? HTTPURLResponse)?.statusCode, status < 500, status != 429
            else {
                try await clock.sleep(for: .milliseconds(50))
                continue
            }
            if (200..<300).contains(status) { return }
            throw SimulationFailure(
                "\(method) \(path) is answered with \(status): \(String(decoding: data, as: UTF8.self))")
        }
    }
}
