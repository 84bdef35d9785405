import Dispatch
import Synchronization
@_spi(Simulation) import UserNotifications

/// The executor that runs the Swift tasks of one simulated process off the main actor, and counts the unfinished jobs.
///
/// The jobs run on the Dispatch queues that Swift's own thread pool uses.
final class AppJobs: TaskExecutor {
    private let count = Atomic<Int>(0)
    /// Whether all jobs run on the main queue, one after another.
    private let areInOrder: Bool
    private let whenAllHaveEnded: @Sendable () -> Void

    /// Makes an executor without jobs.
    ///
    /// - Parameters:
    ///   - areInOrder: whether all jobs run on the main queue.
    ///   - whenAllHaveEnded: called on the thread of the last job.
    init(areInOrder: Bool, whenAllHaveEnded: @escaping @Sendable () -> Void) {
        self.areInOrder = areInOrder
        self.whenAllHaveEnded = whenAllHaveEnded
    }

    var isEmpty: Bool { count.load(ordering: .sequentiallyConsistent) == 0 }

    func enqueue(_ job: consuming ExecutorJob) {
        count.add(1, ordering: .sequentiallyConsistent)
        let queue = areInOrder ? DispatchQueue.main : .global(qos: Self.quality(of: job.priority))
        let job = UnownedJob(job)
        // The form with all arguments is Dispatch's own, which binds the block to no phone.
        queue.async(group: nil, qos: .unspecified, flags: []) {
            if self.areInOrder {
                SimulatedDevices.runOffMain { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
            } else {
                job.runSynchronously(on: self.asUnownedTaskExecutor())
            }
            self.jobEnded()
        }
    }

    /// Runs the first job of a task of the main actor on the main queue, after the blocks that wait there.
    ///
    /// - Parameters:
    ///   - job: the job.
    ///   - executor: the executor of the task's later jobs.
    fileprivate func begin(_ job: consuming ExecutorJob, on executor: MainActorTaskExecutor) {
        count.add(1, ordering: .sequentiallyConsistent)
        let job = UnownedJob(job)
        DispatchQueue.main.async(group: nil, qos: .unspecified, flags: []) {
            job.runSynchronously(
                isolatedTo: MainActor.sharedUnownedExecutor, taskExecutor: executor.asUnownedTaskExecutor())
            self.jobEnded()
        }
    }

    private func jobEnded() {
        if count.subtract(1, ordering: .sequentiallyConsistent).newValue == 0 { whenAllHaveEnded() }
    }

    private static func quality(of priority: JobPriority) -> DispatchQoS.QoSClass {
        switch TaskPriority(rawValue: priority.rawValue) {
        case .high...: .userInitiated
        case .medium...: .default
        case .low...: .utility
        default: .background
        }
    }
}

/// The executor of one task of the main actor: the task begins on the main queue, and its work off the main actor runs on
/// ``AppJobs``.
///
/// Without it, Swift would begin the task on ``AppJobs``, and two tasks could reach the main actor in the wrong order.
final class MainActorTaskExecutor: TaskExecutor {
    private let jobs: AppJobs
    private let hasBegun = Atomic<Bool>(false)

    init(_ jobs: AppJobs) { self.jobs = jobs }

    func enqueue(_ job: consuming ExecutorJob) {
        if hasBegun.exchange(true, ordering: .relaxed) { jobs.enqueue(job) } else { jobs.begin(job, on: self) }
    }
}
