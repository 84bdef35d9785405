import CarillonCore
import CarillonMessaging
import CarillonProve

/// A phone's messages as the SDK sees them, with the SDK's own decisions: its policy in the app and in the service extension, its
/// store's files, its plans, its queues for requests.
///
/// The callbacks of the app and of the extension are played piece by piece, in the order of `Carillon`, `MessageCenter`,
/// `ServiceExchange` and `ExtensionWork`. The phone and the service are as simple as they can be.
package struct SDKWorld: ExploredSystem {
    /// The greatest number of adversities in a history: pauses, endings, second deliveries, failures.
    package static let usualAdversities = 2

    package var scenario: String { plot.name }
    let plot: Scenario
    var now = SDKWorld.beginning
    /// The number of adversities that may still happen.
    var adversitiesLeft: Int
    /// The number of times that each push may still reach the phone.
    var copiesLeft: [Int]
    /// The time at which the service composed each push; `nil` until it has.
    var composedAt: [Timestamp?]
    /// The notifications in Notification Center, newest first.
    var list: [Listed] = []
    var app: AppProcess?
    var ext: ExtensionMemory?
    /// The number of files that the extension has written.
    var extensionFileCount = 0
    /// Whether everything that the extension knows is on the disk.
    var isExtensionSaved = true
    var disk = FileContents() { didSet { savedContents = nil } }
    /// The contents of the files, for the hash of a state; `nil` if the files have changed since the last reading.
    var savedContents: [StoreChange?]?
    /// The reader of the app's files, which reads nothing twice.
    var reader = StoreReader()
    var changes: [String: StoreChange] = [:]
    var savedReads = ReadLane()
    var works: [Work] = []
    var workCount = 0
    /// The work whose turn it is to change the list, and the one whose turn it is to ask the service.
    var (listOwner, requestOwner): (Int?, Int?) = (nil, nil)
    var network = SDKStep.Network.good
    var service: Service
    var knowledge = Knowledge()
    /// The occurrences of the running step; empty between two steps.
    var run = Run()

    static let beginning = Timestamp(secondsSince1970: 1_800_000_000)

    /// The app's process while it runs.
    struct AppProcess: Sendable {
        var contents: StoreContents
        var reads: ReadLane
        var generation: StoreGeneration
        var isTorn = false
        /// The extension's files that are joined and not yet saved.
        var takenOver: Set<String> = []
        var isFront: Bool
        var isStarted = false
        /// The messages and responses whose handlers are running.
        var underWay: Set<HandOvers.Key> = []
        var retryAt: Timestamp?
        /// The number of times that the SDK has woken itself since the last step.
        var wakeCount = 0
    }

    /// The service, as far as this phone can tell.
    struct Service: Sendable, Hashable {
        /// The removals that the phone has not confirmed.
        var outstanding: [Removal]
        var receipts: [String: String] = [:]
        var reads: Set<MessageRevision> = []
        var hasUser = true
    }

    /// The occurrences of a step.
    struct Run: Sendable {
        var pause: SDKStep.Pause?
        var questionCount = 0
        var paused: String?
        var effects: [String] = []
        var broken: [BrokenPromise] = []
        var reached: Set<String> = []
    }

    package init?(scenario: String) { self.init(scenario: scenario, adversities: Self.usualAdversities) }

    /// Makes the beginning of a scenario; `nil` if there is none of this name.
    package init?(scenario: String, adversities: Int) {
        guard let plot = Scenario.all.first(where: { $0.name == scenario }) else { return nil }
        self.plot = plot
        adversitiesLeft = adversities
        copiesLeft = plot.pushes.map { _ in plot.allows.contains(.doubling) ? 2 : 1 }
        composedAt = plot.pushes.enumerated().map { index, push in
            push.isForNextUser ? nil : Self.beginning - .seconds(60 - 10 * index)
        }
        service = Service(outstanding: plot.removals)
        prepareDisk()
        if plot.isOpen {
            launch(isFront: true)
            runAll()
            run = Run()
        }
    }

    /// The names of all scenarios.
    package static var scenarios: [String] { Scenario.all.map(\.name) }

    // MARK: Pushes

    func revision(of push: Int) -> MessageRevision {
        MessageRevision(plot.pushes[push].id ?? .known("none"), revision: plot.pushes[push].revision)
    }

    func until(_ push: Int) -> Timestamp? { plot.pushes[push].lastSecond.map { Self.beginning + .seconds($0) } }

    /// The name of a push in the story.
    func title(_ push: Int) -> String {
        let push = plot.pushes[push]
        guard let id = push.id else { return "the push without a message" }
        let what = push.isNotice ? "the notice in the place of “\(id)”" : "“\(id)”"
        return push.revision > 1 ? "version \(push.revision) of \(what)" : what
    }

    /// The push's payload, as the service composes it.
    func payload(of push: Int) -> [String: JSONValue] {
        let plan = plot.pushes[push]
        var key = CarillonKey(
            id: plan.id, now: composedAt[push], until: until(push), removals: plan.removals, revision: plan.revision,
            isNotice: plan.isNotice)
        let alert: JSONValue = .object(["alert": .string("text"), "sound": .string("default")])
        if plan.kind == .silent { key.silent = alert }
        let aps: JSONValue = plan.kind == .alert ? alert : .object(["content-available": .int(1)])
        return ["aps": aps, CarillonKey.payloadKey: key.json]
    }

    func instructions(of push: Int) -> PushInstructions { PushInterpreter().instructions(for: payload(of: push)) }

    /// The push in which a notification's message came.
    func pushNumber(of notification: DeliveredNotification) -> Int? {
        plot.pushes.indices.first { index in
            plot.pushes[index].id?.rawValue == notification.identifier && plot.pushes[index].kind == .silent
                && plot.pushes[index].revision == notification.message?.revision
        }
    }

    /// The moment of a decision.
    func moment(of contents: StoreContents, isExtension: Bool = false) -> MessageMoment {
        MessageMoment(
            now: now, signedOut: contents.registration.isSignOutPending,
            maySuppress: isExtension && plot.suppresses)
    }

    /// Notes that a message has come to one of the SDK's doors, with the verdict on it there.
    mutating func reach(_ door: String, _ message: PushMessage?, in policy: MessagePolicy, _ moment: MessageMoment) {
        guard let message else { return }
        run.reached.insert(DoorCase.name(door, policy.verdict(on: message, moment)))
    }
}

/// The cases that a search may reach: each door by each verdict.
package enum DoorCase {
    package static let doors = ["push", "alert", "foreground", "tap", "launch", "list", "hand-over", "attachment"]
    static let verdicts = [
        "former user", "notice", "recalled", "read", "expired", "stale", "shown before", "perhaps shown", "new",
    ]

    /// The names of all cases.
    package static let all = doors.flatMap { door in verdicts.map { "\(door): \($0)" } }

    static func name(_ door: String, _ verdict: MessageVerdict) -> String {
        let name =
            switch verdict {
            case .formerUser: verdicts[0]
            case .notice: verdicts[1]
            case .recalled: verdicts[2]
            case .read: verdicts[3]
            case .expired: verdicts[4]
            case .stale: verdicts[5]
            case .repeated(wasShown: true): verdicts[6]
            case .repeated(wasShown: false): verdicts[7]
            case .new: verdicts[8]
            }
        return "\(door): \(name)"
    }
}

extension SDKWorld.AppProcess: Hashable {
    /// Everything that decides what the process does next; not only the contents, but also what of them is unsaved.
    private var essence: [AnyHashable] {
        var copy = contents
        return [
            contents.everything, copy.takeChange(), reads, isTorn, takenOver.count, isFront, isStarted, underWay,
            retryAt,
        ]
    }

    static func == (one: Self, other: Self) -> Bool { one.essence == other.essence }
    func hash(into hasher: inout Hasher) { hasher.combine(essence) }
}

extension SDKWorld {
    /// Everything that decides what follows, without the names of files, which count up.
    private struct Essence: Hashable {
        var state: [AnyHashable]
        var files: [StoreChange?]?
    }

    private var essence: Essence {
        let state: [AnyHashable] = [
            plot.name, now, adversitiesLeft, copiesLeft, composedAt, list, app, ext, disk.isFull, savedReads,
            works.map(\.anonymous), works.firstIndex { $0.id == listOwner }, works.firstIndex { $0.id == requestOwner },
            works.map { work in works.firstIndex { $0.id == work.requests } }, network, service, knowledge,
            isExtensionSaved,
        ]
        return Essence(state: state, files: savedContents)
    }

    package static func == (one: Self, other: Self) -> Bool { one.essence == other.essence }

    package func hash(into hasher: inout Hasher) { hasher.combine(essence) }
}

extension Work {
    /// The work without its number, which counts up.
    fileprivate var anonymous: Work {
        Work(
            id: 0, place: place, title: title, pieces: pieces, isSuspended: isSuspended, wasAsked: wasAsked,
            pending: pending, isForApp: isForApp, unreported: unreported, lessons: lessons, treatment: treatment,
            alertedBefore: alertedBefore)
        // Work that it waits for is compared by its place among the works.
    }
}
