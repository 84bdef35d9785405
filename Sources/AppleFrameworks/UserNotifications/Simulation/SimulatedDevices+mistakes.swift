import Synchronization

/// Reports those mistakes of an app for which iOS ends the app, when one of these modules notices the mistake.
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
    /// The main queue counts as the main thread, except for a job that runs there only to make a run repeatable.
    @_spi(Simulation) public static var isOnMainThread: Bool {
        isOnMainQueue && jobsOffMain.load(ordering: .relaxed) == 0
    }

    /// Runs a job on the main queue that an iPhone would run on another thread.
    @_spi(Simulation) public static func runOffMain(_ job: () -> Void) {
        jobsOffMain.add(1, ordering: .relaxed)
        defer { jobsOffMain.subtract(1, ordering: .relaxed) }
        job()
    }

    private static let jobsOffMain = Atomic<Int>(0)
}
