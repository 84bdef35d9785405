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
        guard let process = currentProcess else { preconditionFailure("\(name): \(detail)") }
        process.hasMade(mistake: name, detail)
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
