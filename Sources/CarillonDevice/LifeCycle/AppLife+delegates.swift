import CarillonCore
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The checks of an app's delegates, which compare the names and types of their methods with Apple's.
extension AppLife {
    func inspectDelegates(of process: AppProcess, _ app: InstalledApp) {
        inspect([process.application.delegate, process.notificationCenter.delegate], of: app)
    }

    /// Looks for methods of an app's delegates whose names or types nearly match Apple's, and writes new findings into the trace.
    func inspect(_ objects: [AnyObject?], of app: InstalledApp) {
        var sentences: [String] = []
        for report in objects.compactMap({ $0.map(DelegateInspection.report) }) {
            let found = report.nearMisses.filter { !perApp[app].delegateReport.nearMisses.contains($0) }
            perApp[app].delegateReport.nearMisses += found
            sentences += found.map(\.sentence)
            guard let unchecked = report.unchecked, perApp[app].delegateReport.unchecked == nil else { continue }
            perApp[app].delegateReport.unchecked = unchecked
            sentences.append(unchecked)
        }
        if !sentences.isEmpty { note(sentences, of: app) }
    }

    /// Adds a trace entry if the app has put a timer on a Foundation run loop, where the timer never fires.
    func noteLostTimer(of process: RunningProcess) {
        guard !process.isToldOfLostTimer, let app = apps[process.bundle.bundleID] else { return }
        process.isToldOfLostTimer = true
        note([Self.lostTimerSentence], of: app)
    }

    private static let lostTimerSentence =
        "a timer never fires: it is on Foundation's own run loop, which does not run on Linux. In a file that imports "
        + "UIKit or UserNotifications, remove import Foundation: its timers then go by the phone's clock. A file that "
        + "imports neither can use a Task that sleeps"

    private func note(_ sentences: [String], of app: InstalledApp) {
        _ = traces.begin(.launch, of: app.bundle.bundleID) { trace in
            trace.notes = sentences
            trace.isFinished = true
        }
    }

    /// Passes the description of an app's mistake to `note`, or adds it as a new trace entry if `note` is `nil`.
    func note(
        _ mistake: AppMistake, _ sentence: String, of process: RunningProcess, in note: (@MainActor (String) -> Void)?
    ) {
        guard let note else {
            let event = "mistake \(mistake.rawValue)"
            return traces.begin(event: event, of: process.bundle.bundleID).finish(note: sentence)
        }
        note(sentence)
    }

    /// Returns the app's methods that were probably meant to be Apple's method with the argument label `label`.
    func nearMisses(of app: InstalledApp, for label: String) -> [NearMiss] {
        perApp[app].delegateReport.nearMisses.filter { $0.intended.contains(label) }
    }

    func noteNearMisses(of app: InstalledApp, for label: String, in entry: TraceEntry) {
        for near in nearMisses(of: app, for: label) { entry.note(near.sentence) }
    }
}

/// The calls to the app delegate's notification methods from before iOS 10.
extension AppLife {
    static let oldMethods: any OldDelegateCalls = OldDelegateMethods()

    /// Calls the app delegate's `application(_:didReceive:)` for a `UILocalNotification` that has fired or was tapped.
    ///
    /// - Returns: whether the app delegate implements that method.
    func receivedByOldMethod(_ original: AnyObject, _ process: AppProcess) async -> Bool {
        let method = OptionalMethod.Call()
        // The app is told, even if the person leaves it before its turn on the main queue.
        let grant = process.gate.grant()
        defer { process.end(grant) }
        await kernel.call(process, "didReceive notification") {
            OptionalMethod.$call.withValue(method) {
                Self.oldMethods.received(local: original, process.application)
            }
        }
        return !method.isMissing("didReceive")
    }
}
