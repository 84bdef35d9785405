import CarillonCore
import Foundation
@_spi(Simulation) import UIKit

/// Completion handlers that apps are handed beside those for pushes.
extension Phone {
    /// A completion handler for the app: the first call counts; called again, late or never it is named.
    ///
    /// - Parameters:
    ///   - owner: whose it is, as in "the shortcut's completion handler".
    ///   - seconds: how long the app may take, on the phone's clock.
    ///   - grant: why the app may run meanwhile; taken back by the first call, at once.
    ///   - heard: told of every call, with what is wrong about it, and once that none came in time.
    ///   - then: told what the handler was given; `nil` when it never was.
    func watchedHandler<Value: Sendable>(
        _ owner: String, of process: RunningProcess, seconds: Int, grant: ProcessGate.Grant? = nil,
        heard: @escaping @MainActor @Sendable (Phone, _ problem: String?) -> Void,
        then: @escaping @MainActor @Sendable (Phone, Value?) async -> Void = { _, _ in }
    ) -> @Sendable (Value) -> Void {
        let answer = PendingAnswer<Value>()
        let timer = schedule(afterSeconds: seconds) { _ in answer.close() }
        process.onEnd { answer.close() }
        work.begin("\(owner)'s completion handler in \(process.bundle.bundleID)", on: self) { phone in
            let value = await answer.wait()
            timer.cancel()
            if value == nil, process.gate.phase != .ended {
                heard(phone, "\(owner)'s completion handler was not called within \(seconds) s")
            }
            await then(phone, value)
            if let grant { process.gate.take(grant) }
            phone.changed(.lifeCycle(bundleID: process.bundle.bundleID))
        }
        return { [mailbox, suspendsAtOnce] value in
            let count = answer.give(value)
            if let grant, count == 1, suspendsAtOnce { process.gate.take(grant) }
            mailbox.post { heard($0, HandlerProblem(count, of: owner)?.sentence) }
        }
    }

    /// A handler whose problems, if it has any, get an entry of their own among the traces.
    func watchedHandler<Value: Sendable>(_ owner: String, of process: RunningProcess) -> @Sendable (Value) -> Void {
        let bundleID = process.bundle.bundleID
        return watchedHandler(
            owner, of: process, seconds: rules.backgroundWakeSeconds,
            heard: { phone, problem in
                guard let problem else { return }
                phone.finish(phone.beginEvent(owner, of: bundleID), note: problem)
            })
    }

    /// An entry among the traces for something that is neither a push nor a notification.
    func beginEvent(_ event: String, of bundleID: String) -> Int {
        let now = clock.now
        let number = log.begin { number in
            var trace = PushTrace(number: number, origin: .event, arrivedAt: now, topic: bundleID)
            trace.event = event
            return trace
        }
        changed(.log(number))
        return number
    }
}
