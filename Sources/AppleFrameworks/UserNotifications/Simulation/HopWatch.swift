import Dispatch
import Synchronization

/// An observer that calls an async delegate method, and finds out whether the main actor runs the method.
///
/// On iOS, the system calls the completion handler of such a method on the thread on which the method ends. Swift has no way to
/// ask for a method's isolation, so this class calls the method and observes where it begins.
///
/// The call begins on a serial executor made for it. Before the method's first line, Swift moves the call to another executor.
/// A method of the main actor moves to the main queue. Any other method moves to this task executor, which records the move.
final class HopWatch: TaskExecutor {
    private let next: any TaskExecutor
    private let entry = EntryExecutor()

    /// Makes a task executor that notes each job of the observed method call, and passes the job on to `next`.
    ///
    /// - Parameter next: the executor of the app's tasks, which runs the jobs.
    init(before next: any TaskExecutor) { self.next = next }

    /// Calls the delegate's async `didReceive`, and observes whether the main actor runs it.
    ///
    /// - Parameters:
    ///   - call: the delegate and the arguments of the call.
    ///   - next: the executor of the app's tasks. It also runs the delegate's method, unless the main actor runs that method.
    /// - Returns: whether the main actor runs the method.
    static func mainActorRuns(
        _ call: Unchecked<(any UNUserNotificationCenterDelegate, UNUserNotificationCenter, UNNotificationResponse)>,
        before next: any TaskExecutor
    ) async -> Bool {
        let watch = HopWatch(before: next)
        let caller = ResponseCaller(on: watch.entry)
        await withTaskExecutorPreference(watch) { await caller.call(call) }
        return !watch.entry.isLeftOffMain
    }

    func enqueue(_ job: consuming ExecutorJob) {
        entry.noteJobElsewhere()
        next.enqueue(job)
    }
}

/// The executor on which a ``HopWatch`` begins its call. Swift then moves the call to the executor of the delegate's method.
private final class EntryExecutor: SerialExecutor {
    private let hasBegun = Atomic<Bool>(false)
    private let isRunning = Atomic<Bool>(false)
    private let isLeft = Atomic<Bool>(false)

    var isLeftOffMain: Bool { isLeft.load(ordering: .relaxed) }

    /// Called when a ``HopWatch`` gets a job of the call that it observes.
    ///
    /// A job that comes while this `EntryExecutor` runs the call's first job begins the delegate's method off the main actor. In
    /// this case, the function records that the main actor does not run the method.
    func noteJobElsewhere() {
        if SimulatedDevices.isOnMainQueue, isRunning.load(ordering: .relaxed) { isLeft.store(true, ordering: .relaxed) }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue.main.async(group: nil, qos: .unspecified, flags: []) {
            // A later job only returns from the method.
            let isFirst = !self.hasBegun.exchange(true, ordering: .relaxed)
            self.isRunning.store(isFirst, ordering: .relaxed)
            job.runSynchronously(on: self.asUnownedSerialExecutor())
            self.isRunning.store(false, ordering: .relaxed)
        }
    }
}

private actor ResponseCaller {
    private let executor: EntryExecutor
    private var hasBegun = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { UnownedSerialExecutor(ordinary: executor) }

    init(on executor: EntryExecutor) { self.executor = executor }

    func call(
        _ call: Unchecked<(any UNUserNotificationCenterDelegate, UNUserNotificationCenter, UNNotificationResponse)>
    ) async {
        // Without a use of the actor's state, Swift would enter the actor only after the call.
        hasBegun = true
        nonisolated(unsafe) let (delegate, center, response) = call.value
        await delegate.userNotificationCenter(center, didReceive: response)
    }
}
