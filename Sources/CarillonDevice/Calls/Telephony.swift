@_spi(Simulation) import CallKit
import CarillonCore
import Foundation

/// The part of a phone that handles phone calls, as apps report them to CallKit.
@MainActor final class Telephony: PartWithApps {
    struct AppState {
        /// The number of VoIP pushes for which the app has not reported a call.
        var unreportedCalls = 0
    }

    /// A phone call that has not ended.
    struct Entry {
        let process: AppProcess
        let provider: CXProvider
        /// The app's permission to run in the background during the call.
        let grant: ProcessGate.Grant
        var call: PhoneCall
        /// Whether the call's audio session is active.
        var isAudible = false
    }

    let kernel: PhoneKernel
    let life: AppLife
    let background: Background
    private let device: DeviceState
    private var entries: [Entry] = []
    private var perApp = PerApp(AppState())
    /// The calls that have ended, newest first.
    private(set) var ended: [PhoneCall] = []

    init(background: Background) {
        kernel = background.kernel
        device = background.device
        life = background.life
        self.background = background
    }

    func unreportedCalls(of app: InstalledApp) -> Int { perApp[app].unreportedCalls }

    func hasNotReported(_ app: InstalledApp) { perApp[app].unreportedCalls += 1 }

    func installed(_ app: InstalledApp, updating old: InstalledApp?) { perApp.install(app, updating: old) { _, _ in } }

    func deleted(_ app: InstalledApp) { perApp.remove(app) }

    /// The calls that have not ended, in the order in which they began.
    var current: [PhoneCall] { entries.map(\.call) }

    func entry(_ id: UUID, of process: RunningProcess? = nil) -> Entry? {
        entries.first { $0.call.id == id && (process == nil || $0.process === process) }
    }

    // MARK: reports of apps

    /// Processes an app's report of an incoming call.
    ///
    /// - Returns: the reason why the call is not shown; `nil` if the call rings.
    func reported(
        _ id: UUID, _ update: CXCallUpdate, by provider: CXProvider, of process: AppProcess
    ) -> CXErrorCodeIncomingCallError? {
        guard process.bundle.backgroundModes.contains(.voip) else { return .init(.unentitled) }
        guard entry(id) == nil else { return .init(.callUUIDAlreadyExists) }
        guard !device.settings.isFocusOn || isAllowedInFocus(update) else { return .init(.filteredByDoNotDisturb) }
        var call = PhoneCall(
            id: id, bundleID: process.bundle.bundleID, isOutgoing: false, name: update.localizedCallerName,
            handle: update.remoteHandle?.value, hasVideo: update.hasVideo, state: .ringing)
        call.supportsHolding = update.supportsHolding
        begin(call, of: process, provider)
        return nil
    }

    /// Returns whether the Focus allows the caller, whom it recognises by the handle.
    ///
    /// A call is filtered for a caller who is "not a VIP":
    /// [filteredByDoNotDisturb](https://developer.apple.com/documentation/callkit/cxerrorcodeincomingcallerror-swift.struct/code/filteredbydonotdisturb).
    private func isAllowedInFocus(_ update: CXCallUpdate) -> Bool {
        update.remoteHandle.map { device.settings.peopleAllowedInFocus.contains($0.value) } ?? false
    }

    func begin(_ call: PhoneCall, of process: AppProcess, _ provider: CXProvider) {
        entries.append(Entry(process: process, provider: provider, grant: process.gate.grant(), call: call))
        process.onEnd { [weak self] in self?.end(call.id, .failed) }
        life.resumed(process)
        changed(call)
    }

    func reported(_ report: CallReport, of id: UUID, by process: RunningProcess) {
        guard entry(id, of: process) != nil else { return }
        switch report {
        case .updated(let name, let handle, let hasVideo):
            update(id) { call in
                call.name = name ?? call.name
                call.handle = handle ?? call.handle
                call.hasVideo = hasVideo
            }
        case .startedConnecting: update(id) { $0.state = .connecting }
        case .connected: update(id) { $0.state = .active }
        case .ended(let reason): end(id, PhoneCall.End(reason))
        }
    }

    func invalidated(_ provider: CXProvider) {
        for entry in entries where entry.provider === provider { end(entry.call.id, .failed) }
    }

    // MARK: changes and ends of calls

    func update(_ id: UUID, _ edit: (inout PhoneCall) -> Void) {
        guard let index = entries.firstIndex(where: { $0.call.id == id }) else { return }
        edit(&entries[index].call)
        changed(entries[index].call)
    }

    func end(_ id: UUID, _ end: PhoneCall.End) {
        guard let index = entries.firstIndex(where: { $0.call.id == id }) else { return }
        let entry = entries.remove(at: index)
        var call = entry.call
        call.state = .ended(end)
        ended.insert(call, at: 0)
        if ended.count > PhoneLimits.records { ended.removeLast() }
        changed(call)
        if entry.isAudible { tell(entry, isAudible: false) }
        entry.process.gate.take(entry.grant)
        kernel.changed(.lifeCycle(bundleID: call.bundleID))
    }

    /// Tells the app that the call's audio session is active, after the call was answered or started.
    func becameAudible(_ id: UUID) {
        guard let index = entries.firstIndex(where: { $0.call.id == id && !$0.isAudible }) else { return }
        entries[index].isAudible = true
        tell(entries[index], isAudible: true)
    }

    private func tell(_ entry: Entry, isAudible: Bool) {
        guard entry.process.gate.phase != .ended else { return }
        let provider = entry.provider
        ProcessScheduler.shared.run(as: entry.process, isAudible ? "didActivate" : "didDeactivate") {
            provider.audioSession(isActive: isAudible)
        }
    }

    private func changed(_ call: PhoneCall) {
        let seen = CXCall(call)
        for process in life.appProcesses {
            process.callsOnPhone.value = current
            let observers = process.callObservers
            guard !observers.isEmpty else { continue }
            ProcessScheduler.shared.run(as: process, "callChanged") {
                for observer in observers { observer.changed(seen) }
            }
        }
        kernel.changed(.calls)
    }
}

extension PhoneCall.End {
    init(_ reason: CXCallEndedReason) {
        self =
            switch reason {
            case .failed: .failed
            case .remoteEnded: .remoteEnded
            case .unanswered: .unanswered
            case .answeredElsewhere: .answeredElsewhere
            case .declinedElsewhere: .declinedElsewhere
            }
    }
}

extension CXCall {
    convenience init(_ call: PhoneCall) {
        self.init(
            uuid: call.id, isOutgoing: call.isOutgoing, isOnHold: call.isOnHold, hasConnected: call.state == .active,
            hasEnded: call.hasEnded)
    }
}
