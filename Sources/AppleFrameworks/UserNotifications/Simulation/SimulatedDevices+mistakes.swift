import Synchronization

/// Reports an app's mistakes for which iOS ends the app. The modules with Apple's names report a mistake when they notice it.
extension SimulatedDevices {
    /// Reports a mistake of the app whose code is running.
    ///
    /// Outside any app the program stops, as on iOS.
    ///
    /// - Parameters:
    ///   - name: the raw value of CarillonDevice's `AppMistake`.
    ///   - detail: the value that iOS does not accept, for the phone's record of events.
    @_spi(Simulation) public static func hasMade(mistake name: String, _ detail: String) {
        guard let process = currentProcess else { stop("\(name): \(detail)") }
        process.hasMade(mistake: name, detail)
    }

    /// Stops the program with an explanation.
    ///
    /// Only code for which no app can be ended calls this method: code outside any app, and a method that cannot return. Tidy
    /// tests list the calls.
    @_spi(Simulation) public static func stop(_ explanation: String) -> Never { preconditionFailure(explanation) }

    /// Stops the program because code outside any app has used a symbol whose signature has no error and no `nil`.
    @_spi(Simulation) public static func stopOutsideOfAnyPhone(_ symbol: String) -> Never {
        stop(
            "\(symbol) was called outside of any app on a simulated phone. Call it from code that a phone runs: a delegate "
                + "method, or what was started there. While several phones run in one process, a Task, a block on a "
                + "Dispatch queue or on OperationQueue.main, an observer and a URLSession know theirs if the file imports "
                + "UIKit or UserNotifications; a timer, a thread and an operation queue of the app's own if that file does "
                + "not import Foundation by name as well, which these bring along. Elsewhere, hop back by a Task or by "
                + "DispatchQueue.main.async in such a file.")
    }

    /// Whether an iPhone would run this code on the main thread.
    ///
    /// Code on the main queue counts as code on the main thread, except during ``runOffMain(_:)``.
    @_spi(Simulation) public static var isOnMainThread: Bool {
        isOnMainQueue && jobsOffMain.load(ordering: .relaxed) == 0
    }

    /// Runs, on the main queue, a job that an iPhone would run on another thread.
    @_spi(Simulation) public static func runOffMain(_ job: () -> Void) {
        jobsOffMain.add(1, ordering: .relaxed)
        defer { jobsOffMain.subtract(1, ordering: .relaxed) }
        job()
    }

    private static let jobsOffMain = Atomic<Int>(0)
}
