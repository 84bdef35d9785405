@_spi(Simulation) import ActivityKit
import CarillonCore
import Foundation

/// The handling of pushes for Live Activities, with the budgets of the apps.
@MainActor final class ActivityPushes: PushReceiver {
    struct AppState {
        var updates = BackgroundBudget()
        var starts = BackgroundBudget()
        /// The newest update of each Live Activity that the budget holds back.
        var held: [String: HeldUpdate] = [:]
    }

    struct HeldUpdate {
        let push: ActivityPush
        let entry: TraceEntry
    }

    private let activities: LiveActivities
    private let kernel: PhoneKernel
    private let device: DeviceState
    private let apps: InstalledApps
    private let life: AppLife
    private let background: Background
    private var perApp = PerApp(AppState())

    init(activities: LiveActivities) {
        self.activities = activities
        kernel = activities.kernel
        device = activities.device
        apps = activities.apps
        life = activities.life
        background = activities.background
    }

    func installed(_ app: InstalledApp, updating old: InstalledApp?) {
        perApp.install(app, updating: old) { _, old in
            for held in old.held.values { held.entry.finish(note: "lost: the app was updated") }
        }
    }

    func deleted(_ app: InstalledApp) {
        for held in perApp[app].held.values { held.entry.finish(note: "lost: the app was deleted") }
        perApp.remove(app)
    }

    /// Handles a push of type `liveactivity`, and notes in its trace entry what happened to it.
    ///
    /// - Returns: whether the push is for a Live Activity; `false` leaves the push to the caller.
    func receive(_ push: IncomingPush, of app: InstalledApp, _ entry: TraceEntry) -> Bool {
        guard push.pushType == .liveactivity, kernel.rules.keeps(.liveActivityIsNoNotification) else { return false }
        do throws(ActivityPush.Refusal) {
            let content = try ActivityPush(payload: push.payload)
            for note in content.notes { entry.note(note) }
            if let why = activities.refusal(of: app) ?? farTimestamp(content) { throw .init(why: why) }
            switch content.event {
            case .start: try start(content, push, of: app, entry)
            case .update, .end: try change(content, push, of: app, entry)
            }
        } catch {
            entry.finish(note: error.why)
        }
        return true
    }

    /// Returns the reason why a real sender could not have sent this push directly to the phone: there is no token for it.
    func missingToken(for push: IncomingPush) -> String? {
        guard push.pushType == .liveactivity, push.token == nil, push.channelID == nil, let app = apps[push.topic],
            activities.refusal(of: app) == nil, let content = try? ActivityPush(payload: push.payload),
            content.event == .start,
            activities.startToken(of: app) == nil
        else { return nil }
        guard activities.wantsStartToken(app) else {
            return "did not arrive: the app has no push-to-start token, since it has not read pushToStartTokenUpdates"
        }
        return "did not arrive: the app has no push-to-start token yet, because the phone was offline"
    }

    private func farTimestamp(_ push: ActivityPush) -> String? {
        let latest = Double(kernel.now.secondsSince1970 + Int64(LiveActivityEvent.activeSeconds))
        guard push.timestamp > latest, kernel.rules.keeps(.farTimestampIsIgnored) else { return nil }
        let hint =
            LiveActivityEvent.isProbablyMilliseconds(push.timestamp)
            ? ": it is probably in milliseconds, and must be in seconds" : ""
        return "ignored: its timestamp \(LiveActivity.text(push.timestamp)) is more than 8 hours in the future" + hint
    }

    // MARK: start

    private func start(
        _ content: ActivityPush, _ push: IncomingPush, of app: InstalledApp, _ entry: TraceEntry
    ) throws(ActivityPush.Refusal) {
        if push.channelID != nil { throw .init(why: "ignored: a broadcast cannot start a Live Activity") }
        if let token = push.token, token != activities.startToken(of: app) {
            throw .init(
                why: "ignored: it was not sent to the app's push-to-start token, which alone starts a Live Activity")
        }
        let kind = try kind(of: content, app)
        let attributes = try checked(content.attributes, "attributes", as: kind.name, kind.checkAttributes)
        let state = try checkedState(content, of: kind)
        guard activities.activities(of: app).filter(\.isLive).count < kernel.rules.activitiesPerApp else {
            throw .init(
                why: "ignored: the app has \(kernel.rules.activitiesPerApp) Live Activities, the most it may have")
        }
        guard perApp[app].starts.mayWake(at: kernel.now, limit: kernel.rules.activityStartsPerHour) else {
            throw .init(why: "ignored: the app has had all the pushes that may start a Live Activity in an hour")
        }
        perApp[app].starts.woke(at: kernel.now)
        let activity = LiveActivity(
            id: kernel.randomUUID().uuidString, bundleID: app.bundle.bundleID, attributesType: kind.name,
            attributes: attributes, contentState: state, card: card(kind.name, attributes, state, app),
            startedAt: kernel.now, staleDate: content.staleDate, relevanceScore: content.relevanceScore,
            source: source(of: content), newest: content.timestamp)
        entry.note("started the Live Activity \(activity.id), a \(kind.name)")
        activities.begin(activity, of: app)
        alert(content, of: app, entry)
        wake(app, for: activity, entry)
    }

    private func kind(of content: ActivityPush, _ app: InstalledApp) throws(ActivityPush.Refusal) -> ActivityType {
        let name = content.attributesType ?? ""
        if let kind = activities.kind(name, of: app) { return kind }
        let known = activities.kindNames(of: app)
        throw .init(
            why: "ignored: the app has no ActivityAttributes called \(name)"
                + (known.isEmpty
                    ? "; list it in AppBundle.liveActivities" : "; it has \(known.joined(separator: ", "))"))
    }

    private func source(of content: ActivityPush) -> LiveActivity.Source {
        if let channel = content.channelID { return .channel(channel) }
        return content.wantsToken || !kernel.rules.startNeedsInputPushToken ? .token : .app
    }

    /// Wakes the app for a moment, in which it gets the token of the Live Activity.
    private func wake(_ app: InstalledApp, for activity: LiveActivity, _ entry: TraceEntry) {
        guard kernel.rules.keeps(.pushToStartWakesApp) else { return entry.finish() }
        switch life.runningState(of: app) {
        case .foregroundActive, .foregroundInactive: return entry.finish(note: "the app is in the foreground")
        case .forceQuit where kernel.rules.keeps(.forceQuitStopsWakes):
            return entry.finish(
                note: "the app was not woken, because the person had force-quit it: it gets the token when it is opened"
            )
        case .background, .suspended, .notRunning, .forceQuit: break
        }
        let seconds = kernel.rules.activityWakeSeconds
        entry.note("the app was woken for \(seconds) s")
        kernel.tasks.begin("waking \(app.bundle.bundleID) for a Live Activity") { [self] in
            let (process, grant) = await background.giveBackgroundTime(to: app)
            _ = kernel.schedule(afterSeconds: seconds) { process.end(grant) }
            // An app that was launched for it did not hear of the start before.
            activities.publish(.started(ActivityRecord(activity)), to: app)
            entry.finish()
        }
    }

    // MARK: update and end

    private func change(
        _ content: ActivityPush, _ push: IncomingPush, of app: InstalledApp, _ entry: TraceEntry
    ) throws(ActivityPush.Refusal) {
        var hasWaited = false
        for activity in try targets(of: push, app) {
            if content.contentState != nil, let kind = activities.kind(activity.attributesType, of: app) {
                _ = try checkedState(content, of: kind)
            }
            guard mayUpdate(app, push) else {
                hold(content, for: activity.id, of: app, entry)
                hasWaited = true
                continue
            }
            if push.priority >= 10 { perApp[app].updates.woke(at: kernel.now) }
            show(content, on: activity, of: app, entry)
        }
        if !hasWaited { entry.finish() }
    }

    /// Applies an update or an end, and notes the result.
    private func show(_ content: ActivityPush, on activity: LiveActivity, of app: InstalledApp, _ entry: TraceEntry) {
        let attributes = activity.attributes
        let change = LiveActivity.Change(
            contentState: content.contentState, staleDate: content.staleDate, relevanceScore: content.relevanceScore,
            card: content.contentState.flatMap { card(activity.attributesType, attributes, $0, app) },
            timestamp: content.timestamp,
            dismissal: content.event == .end ? content.dismissalDate.map { .at($0) } ?? .standard : nil)
        if let problem = activities.apply(change, to: activity.id, of: app) { return entry.note(problem) }
        entry.note("\(content.event == .end ? "ended" : "updated") the Live Activity \(activity.id)")
        alert(content, of: app, entry)
    }

    /// Returns the Live Activities that a push is for: one by its token, or those that follow its channel.
    ///
    /// A push without a token comes directly from a test; it is for the app's only Live Activity.
    private func targets(of push: IncomingPush, _ app: InstalledApp) throws(ActivityPush.Refusal) -> [LiveActivity] {
        let live = activities.activities(of: app).filter(\.isLive)
        if let channel = push.channelID {
            let found = live.filter { $0.source == .channel(channel) }
            guard found.isEmpty else { return found }
            throw .init(why: "ignored: no Live Activity of the app follows the channel \(channel)")
        }
        if let token = push.token {
            if let found = live.first(where: { $0.pushToken == token }) { return [found] }
            throw .init(
                why: token == activities.startToken(of: app)
                    ? "ignored: it was sent to the push-to-start token, which only starts Live Activities"
                    : "ignored: no active Live Activity has the token it was sent to: it has ended, or this is "
                        + "another token of the app")
        }
        guard let only = live.first else { throw .init(why: "ignored: the app has no active Live Activity") }
        guard live.count == 1 else {
            throw .init(why: "did not arrive: the app has \(live.count) Live Activities, and the push names no token")
        }
        if only.source == .app || only.source == .token && only.pushToken == nil {
            throw .init(why: "did not arrive: the Live Activity has no push token")
        }
        return [only]
    }

    // MARK: decoding

    private func checkedState(_ content: ActivityPush, of kind: ActivityType) throws(ActivityPush.Refusal) -> JSONValue
    {
        guard kernel.rules.keeps(.undecodableContentIsIgnored) else { return content.contentState ?? .null }
        return try checked(
            content.contentState, "content-state", as: "\(kind.name).ContentState", kind.checkContentState)
    }

    private func checked(
        _ value: JSONValue?, _ key: String, as type: String, _ check: (Data) throws -> Void
    ) throws(ActivityPush.Refusal) -> JSONValue {
        let value = value ?? .null
        do {
            try check(value.encoded())
            return value
        } catch {
            throw .init(
                why:
                    "ignored: aps.\(key) cannot be decoded as \(type): \((error as? DecodingError)?.sentence ?? "\(error)")"
            )
        }
    }

    private func card(
        _ kind: String, _ attributes: JSONValue, _ state: JSONValue, _ app: InstalledApp
    ) -> LiveActivityCard? {
        guard let attributes = try? attributes.encoded(), let state = try? state.encoded() else { return nil }
        return activities.card(of: kind, attributes, state, app)
    }

    // MARK: alert

    private func alert(_ content: ActivityPush, of app: InstalledApp, _ entry: TraceEntry) {
        guard content.alerts else { return }
        entry.note("alerted the person")
        activities.play(content.sound ?? "default", of: app)
    }
}

/// The budget of updates by pushes with priority 10.
extension ActivityPushes {
    /// Returns whether a push may update the app's Live Activities now.
    private func mayUpdate(_ app: InstalledApp, _ push: IncomingPush) -> Bool {
        push.priority < 10 || perApp[app].updates.mayWake(at: kernel.now, limit: updatesPerHour(of: app))
    }

    private func updatesPerHour(of app: InstalledApp) -> Int? {
        let isFrequent =
            app.bundle.supportsFrequentLiveActivityUpdates && device.settings(of: app).areFrequentUpdatesOn
        return isFrequent ? kernel.rules.frequentActivityUpdatesPerHour : kernel.rules.activityUpdatesPerHour
    }

    private func hold(_ content: ActivityPush, for id: String, of app: InstalledApp, _ entry: TraceEntry) {
        if let held = perApp[app].held[id] {
            guard content.timestamp >= held.push.timestamp else {
                return entry.finish(note: "ignored: a newer update of the Live Activity waits for the budget")
            }
            held.entry.finish(note: "replaced by a newer update while it waited for the budget")
        }
        perApp[app].held[id] = HeldUpdate(push: content, entry: entry)
        entry.note("held: the app has had all the updates with priority 10 that it may have in an hour")
        awaitBudget(of: app)
    }

    private func awaitBudget(of app: InstalledApp) {
        guard let next = perApp[app].updates.nextWake(after: kernel.now) else { return }
        _ = kernel.schedule(at: next) { [weak self] in self?.releaseHeldUpdates(of: app) }
    }

    private func releaseHeldUpdates(of app: InstalledApp) {
        guard device.isPoweredOn, apps.has(app) else { return }
        for (id, held) in perApp[app].held.sorted(by: { $0.value.entry.number < $1.value.entry.number }) {
            let activity = activities.activities(of: app).first { $0.id == id && $0.isLive }
            guard perApp[app].updates.mayWake(at: kernel.now, limit: updatesPerHour(of: app)) || activity == nil
            else {
                continue
            }
            perApp[app].held[id] = nil
            if let activity {
                perApp[app].updates.woke(at: kernel.now)
                show(held.push, on: activity, of: app, held.entry)
                held.entry.finish()
            } else {
                held.entry.finish(note: "lost: the Live Activity ended before its budget allowed the update")
            }
        }
        if !perApp[app].held.isEmpty { awaitBudget(of: app) }
    }
}
