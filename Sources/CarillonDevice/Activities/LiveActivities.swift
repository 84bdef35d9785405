@_spi(Simulation) import ActivityKit
import CarillonCore
import Foundation

/// The part of a phone that keeps the apps' Live Activities, by requests of apps and by pushes.
@MainActor final class LiveActivities: PartWithApps {
    struct AppState {
        /// The Live Activities that have not been dismissed, in the order in which they began.
        var activities: [LiveActivity] = []
        /// The kinds of Live Activity that the app's code has used.
        var kinds: [String: ActivityType] = [:]
        var startToken: Data?
        /// Whether the app has asked for a push-to-start token.
        var wantsStartToken = false
        /// The Live Activities whose token is being fetched.
        var fetching: Set<String> = []
        /// The channels that the app follows at APNs.
        var channels: Set<String> = []
    }

    let kernel: PhoneKernel
    let device: DeviceState
    let apps: InstalledApps
    let life: AppLife
    let background: Background
    let records: PhoneRecords
    private let connection: PushConnection
    private var perApp = PerApp(AppState())
    private var timer: ScheduledAction?

    /// Makes the part of a phone that keeps Live Activities.
    ///
    /// - Parameters:
    ///   - background: the part of the phone that wakes apps.
    ///   - connection: the part of the phone that gets tokens.
    ///   - records: the list of the sounds that the phone has played.
    init(background: Background, connection: PushConnection, records: PhoneRecords) {
        kernel = background.kernel
        device = background.device
        apps = background.apps
        life = background.life
        self.background = background
        self.connection = connection
        self.records = records
        kernel.whenRulesChange = { [weak self] in self?.rulesChanged() }
        connection.whenAttempted.append { [weak self] in self?.catchUp() }
    }

    // MARK: state

    func activities(of app: InstalledApp) -> [LiveActivity] { perApp[app].activities }

    func startToken(of app: InstalledApp) -> Data? { perApp[app].startToken }

    /// Returns whether the app has asked for a push-to-start token.
    func wantsStartToken(_ app: InstalledApp) -> Bool { perApp[app].wantsStartToken }

    /// Returns the kind of Live Activity with this name: from the app's widget extension, or from the app's code.
    func kind(_ name: String, of app: InstalledApp) -> ActivityType? {
        app.bundle.liveActivities.first { $0.type.name == name }?.type ?? perApp[app].kinds[name]
    }

    func kindNames(of app: InstalledApp) -> [String] {
        Set(app.bundle.liveActivities.map(\.type.name) + perApp[app].kinds.keys).sorted()
    }

    /// Returns whether the app may have Live Activities, by its Info.plist and the person's switch.
    func refusal(of app: InstalledApp) -> String? {
        if !app.bundle.supportsLiveActivities, kernel.rules.keeps(.activityNeedsPlistKey) {
            return "ignored: the app's Info.plist lacks NSSupportsLiveActivities (AppBundle.supportsLiveActivities)"
        }
        if !device.settings(of: app).areLiveActivitiesOn, kernel.rules.keeps(.activitySwitchCounts) {
            return "ignored: the person has switched Live Activities off for this app"
        }
        return nil
    }

    /// Returns the phone's state as a process of the app sees it.
    func view(of app: InstalledApp) -> ProcessActivities.View {
        let settings = device.settings(of: app)
        let isOn = app.bundle.supportsLiveActivities && settings.areLiveActivitiesOn
        return ProcessActivities.View(
            records: perApp[app].activities.map(ActivityRecord.init),
            authorization: ActivityAuthorization(
                areActivitiesEnabled: isOn,
                frequentPushesEnabled: isOn && app.bundle.supportsFrequentLiveActivityUpdates
                    && settings.areFrequentUpdatesOn),
            pushToStartToken: perApp[app].startToken, isSupported: app.bundle.supportsLiveActivities,
            rules: kernel.rules)
    }

    /// Brings the state that the app's process sees up to date, and tells the app's observers of `event`.
    func publish(_ event: ActivityEvent?, to app: InstalledApp) {
        guard let process = life.process(of: app) else { return }
        process.liveActivities.update(view(of: app))
        guard let event, process.liveActivities.hasObservers else { return }
        ProcessScheduler.shared.run(as: process, "ActivityKit") { process.liveActivities.deliver(event) }
    }

    private func rulesChanged() {
        for app in apps.all { publish(nil, to: app) }
        awaitDeadline()
    }

    func settingsChanged(of app: InstalledApp) {
        publish(.authorization(view(of: app).authorization), to: app)
        // "Ending activity … because authorization was revoked", as iOS logs; for frequent updates by Apple's talk
        // https://developer.apple.com/videos/play/wwdc2023/10185.
        for activity in activities(of: app) { dismiss(activity.id, of: app) }
        kernel.changed(.screen)
    }

    // MARK: apps that are installed and deleted

    func installed(_ app: InstalledApp, updating old: InstalledApp?) {
        let endsAll = kernel.rules.updateEndsActivities
        var ended: [Data] = []
        perApp.install(app, updating: old) { new, old in
            new.startToken = old.startToken
            new.wantsStartToken = old.wantsStartToken
            if endsAll {
                ended = old.activities.compactMap(\.pushToken)
            } else {
                new.activities = old.activities
            }
            new.channels = old.channels
        }
        followChannels(of: app)
        retire(ended)
        awaitDeadline()
    }

    func deleted(_ app: InstalledApp) {
        let state = perApp[app]
        retire(state.activities.compactMap(\.pushToken) + [state.startToken].compactMap(\.self))
        perApp[app].activities = []
        followChannels(of: app)
        perApp.remove(app)
        awaitDeadline()
    }

    /// Gives a phone the Live Activities that an earlier run of the program has saved; their tokens are fetched anew.
    func restore(_ saved: [LiveActivity], of app: InstalledApp) {
        perApp[app].activities = saved.map { old in
            var activity = old
            activity.pushToken = nil
            return activity
        }
        advance()
    }

    // MARK: requests of apps

    func uses(_ kind: ActivityType, _ process: RunningProcess) {
        if let app = apps[process.bundle.bundleID] { perApp[app].kinds[kind.name] = kind }
    }

    /// Shows a Live Activity that a running app has requested.
    func requested(_ record: ActivityRecord, _ draft: ActivityDraft, by process: RunningProcess) {
        guard let app = apps[process.bundle.bundleID] else { return }
        perApp[app].kinds[draft.type.name] = draft.type
        let source: LiveActivity.Source =
            draft.pushType.map { $0.channelID.map { .channel($0) } ?? .token } ?? .app
        let activity = LiveActivity(
            record, bundleID: app.bundle.bundleID, source: source, startedAt: kernel.now,
            card: card(of: draft.type.name, record.attributes, record.content.state, app))
        begin(activity, of: app)
    }

    /// Carries out an app's update or end.
    func changed(_ id: String, _ change: ActivityChange, by process: RunningProcess) {
        guard let app = apps[process.bundle.bundleID],
            let activity = activities(of: app).first(where: { $0.id == id })
        else { return }
        let entry = life.traces.begin(event: "ActivityKit", of: app.bundle.bundleID)
        let note = "the app’s change of the Live Activity \(id)"
        if let content = change.content, content.state.count > IOSLimits.activityBytes,
            kernel.rules.keeps(.activitySizeIsLimited)
        {
            return entry.finish(note: "\(note) is ignored: the content has \(content.state.count) bytes")
        }
        let update = LiveActivity.Change(change, at: kernel.now) { [self] state in
            card(of: activity.attributesType, (try? activity.attributes.encoded()) ?? Data(), state, app)
        }
        let problem = apply(update, to: id, of: app)
        entry.finish(note: problem.map { "\(note) is \($0)" } ?? "\(note) is on the screen")
        if problem == nil, case .update(_, let alert?, _) = change { play(alert.sound, of: app) }
    }

    func card(of kind: String, _ attributes: Data, _ state: Data, _ app: InstalledApp) -> LiveActivityCard? {
        app.bundle.liveActivities.first { $0.type.name == kind }?.card(attributes, state)
    }

    /// Plays the sound of an alert, unless the phone is muted.
    func play(_ sound: String, of app: InstalledApp) {
        if !device.settings.isMuted { records.played(sound, by: app.bundle.bundleID) }
    }

    // MARK: changes

    func begin(_ activity: LiveActivity, of app: InstalledApp) {
        var activity = activity
        activity.advance(to: kernel.now, rules: kernel.rules)
        perApp[app].activities.append(activity)
        publish(.started(ActivityRecord(activity)), to: app)
        fetchTokens(of: app)
        followChannels(of: app)
        awaitDeadline()
        kernel.changed(.screen)
    }

    /// Applies an update or an end.
    ///
    /// - Returns: the reason why it is ignored; `nil` if it was applied.
    func apply(_ change: LiveActivity.Change, to id: String, of app: InstalledApp) -> String? {
        edit(id, of: app) { $0.apply(change, at: kernel.now, rules: kernel.rules) }
    }

    func dismiss(_ id: String, of app: InstalledApp) {
        _ = edit(id, of: app) { activity in
            activity.dismiss(at: kernel.now)
            return nil
        }
    }

    private func edit(_ id: String, of app: InstalledApp, _ body: (inout LiveActivity) -> String?) -> String? {
        guard let index = perApp[app].activities.firstIndex(where: { $0.id == id }) else {
            return "ignored: the Live Activity is no longer on the phone"
        }
        let before = perApp[app].activities[index]
        let problem = body(&perApp[app].activities[index])
        let token = perApp[app].activities[index].pushToken
        if !perApp[app].activities[index].isLive { perApp[app].activities[index].pushToken = nil }
        let after = perApp[app].activities[index]
        guard before != after else { return problem }
        if after.state == .dismissed { perApp[app].activities.remove(at: index) }
        publish(.changed(ActivityRecord(after)), to: app)
        if before.isLive, !after.isLive {
            if let token { retire([token]) }
            followChannels(of: app)
        }
        awaitDeadline()
        kernel.changed(.screen)
        return problem
    }

    // MARK: time

    /// Applies everything that has fallen due, and waits for the next deadline.
    func advance() {
        for app in apps.all {
            for activity in activities(of: app) {
                _ = edit(activity.id, of: app) { activity in
                    activity.advance(to: kernel.now, rules: kernel.rules)
                    return nil
                }
            }
        }
        awaitDeadline()
    }

    private func awaitDeadline() {
        timer?.cancel()
        let rules = kernel.rules
        let next = apps.all.flatMap { activities(of: $0) }.compactMap { $0.nextDeadline(rules: rules) }.min()
        timer = next.map { deadline in
            // A phone that is off catches up when it is switched on.
            kernel.schedule(at: deadline) { [weak self] in if let self, device.isPoweredOn { advance() } }
        }
    }

    func switchedOff() {
        timer?.cancel()
        guard kernel.rules.restartEndsActivities else { return }
        for app in apps.all { for activity in activities(of: app) { dismiss(activity.id, of: app) } }
    }

    // MARK: tokens and channels

    private var isConnected: Bool { device.isPoweredOn && device.network.isOnline }

    /// Applies what has fallen due, fetches the tokens that apps wait for, and tells APNs of what has happened meanwhile.
    private func catchUp() {
        guard device.isPoweredOn else { return }
        advance()
        guard isConnected else { return }
        for app in apps.all {
            fetchTokens(of: app)
            if perApp[app].wantsStartToken { fetchStartToken(of: app) }
            followChannels(of: app)
        }
    }

    func wantsStartToken(_ process: RunningProcess) {
        guard let app = apps[process.bundle.bundleID], perApp[app].startToken == nil else { return }
        perApp[app].wantsStartToken = true
        fetchStartToken(of: app)
    }

    private func fetchStartToken(of app: InstalledApp) {
        guard isConnected, refusal(of: app) == nil, perApp[app].startToken == nil,
            perApp[app].fetching.insert("").inserted
        else { return }
        kernel.tasks.begin("the push-to-start token of \(app.bundle.bundleID)") { [self] in
            let token = try? await connection.newToken(.liveactivity, for: app).get()
            perApp[app].fetching.remove("")
            guard let token, apps.has(app) else { return }
            perApp[app].startToken = token
            publish(.pushToStartToken(token), to: app)
        }
    }

    private func fetchTokens(of app: InstalledApp) {
        guard isConnected else { return }
        for activity in activities(of: app) where activity.source == .token && activity.isLive {
            guard activity.pushToken == nil, perApp[app].fetching.insert(activity.id).inserted else { continue }
            kernel.tasks.begin("the push token of a Live Activity of \(app.bundle.bundleID)") { [self] in
                let token = try? await connection.newToken(.liveactivity, for: app).get()
                perApp[app].fetching.remove(activity.id)
                guard let token else { return }
                let isLive = apps.has(app) && activities(of: app).contains { $0.id == activity.id && $0.isLive }
                guard isLive else {
                    return retire([token])
                }
                _ = edit(activity.id, of: app) { activity in
                    activity.pushToken = token
                    return nil
                }
            }
        }
    }

    private func retire(_ tokens: [Data]) {
        if kernel.rules.keeps(.endedActivityTokenIsInvalid) { connection.retire(tokens) }
    }

    private func followChannels(of app: InstalledApp) {
        let channels = Set(
            activities(of: app).filter(\.isLive).compactMap { if case .channel(let id) = $0.source { id } else { nil } }
        )
        guard isConnected, channels != perApp[app].channels else { return }
        perApp[app].channels = channels
        kernel.tasks.begin("following the channels of \(app.bundle.bundleID)") { [self] in
            guard let problem = await connection.follow(channels.sorted(), of: app) else { return }
            life.traces.begin(event: "channels", of: app.bundle.bundleID).finish(
                note: "the app's Live Activities get no broadcasts: \(problem)")
        }
    }
}
