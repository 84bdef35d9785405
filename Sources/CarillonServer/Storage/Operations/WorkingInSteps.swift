import CarillonCore
import Foundation

/// Performs tasks (``StepwiseWork``) in steps of bounded size, so that no transaction grows with the number of a message's
/// recipients.
///
/// A task that a crash has interrupted is continued later. The operation that begins a task, such as ``Withdrawing``, implements
/// its steps.
struct WorkingInSteps: SessionPart {
    let session: StoreSession
    private let work: WorkTable
    private let messages: MessagesTable
    private let ranges: RangesTable

    init(_ session: StoreSession) {
        self.session = session
        work = WorkTable(session)
        messages = MessagesTable(session)
        ranges = RangesTable(session)
    }

    /// Begins a task: performs the steps that fit into this transaction, and stores the rest as an unfinished task.
    func begin(_ task: StepwiseWork.Task) throws { _ = try start(task) }

    /// Begins a task as ``begin(_:)`` does.
    ///
    /// - Returns: the task after its first steps, and whether it is finished.
    func start(_ task: StepwiseWork.Task) throws -> (work: StepwiseWork, isFinished: Bool) {
        var work = StepwiseWork(task)
        if room > 0, try goOn(with: &work) { return (work, true) }
        session.unfinished.append(try self.work.insert(work))
        return (work, false)
    }

    /// Stores a task that a sender begins at the time `due`.
    func schedule(_ task: StepwiseWork.Task, at due: Timestamp) throws {
        try work.schedule(StepwiseWork(task, phase: StepwiseWork.waitingPhase), due: due.millisecondsSince1970)
    }

    /// Continues unfinished tasks in the order of their due times, and begins the tasks that end expired messages.
    ///
    /// The function stops when this transaction may process no further device.
    ///
    /// - Returns: the amount of work, counted in processed devices.
    func goOn() throws -> Int {
        let before = room
        while room > 0 {
            if let row = try row(work.oldestDue) {
                try goOn(withRow: row)
            } else if let message: Int64 = try row(messages.nextEnded)?["number"] {
                try messages.noteEnded(message)
                try ranges.mark(message, .ended)
                try begin(.end(message: message))
            } else {
                break
            }
        }
        return before - room
    }

    /// The queries with which ``goOn()`` begins.
    var first: [SQLStatement] { [work.oldestDue, messages.nextEnded] }

    /// Continues the tasks with these numbers, in this order, as far as this transaction may process further devices.
    ///
    /// The function adds the numbers of tasks that it has not finished to ``StoreSession/unfinished``.
    func goOn(with numbers: [Int64]) throws {
        for number in numbers {
            guard let row = try work.due(number) else { continue }
            guard room > 0 else {
                session.unfinished.append(number)
                continue
            }
            if try !goOn(withRow: row) { session.unfinished.append(number) }
        }
    }

    /// Continues the task in a row of the table `work`.
    ///
    /// If the task cannot be decoded, the function sets it aside: senders skip it until an operator acts.
    ///
    /// - Returns: whether the task is finished or was set aside, so that the caller need not continue it.
    @discardableResult
    func goOn(withRow row: SQLRow) throws -> Bool {
        let number: Int64 = try row["number"]
        do {
            let state: String = try row["state"]
            var work = try CarillonJSON.decode(StepwiseWork.self, from: Data(state.utf8))
            let isDone = try LateStep.naming(.task(number)) { try goOn(with: &work) }
            if isDone {
                try self.work.delete(number)
                // The task's earlier steps may have sent the last push.
                if case .accept(let addressing) = work.task { session.maybeFinished.insert(addressing.message) }
            } else {
                try self.work.keep(work, number)
            }
            return isDone
        } catch let error as any EngineError {
            throw error
        } catch {
            // A task that cannot be decoded must not block the others.
            room -= 1
            try work.setAside(number, because: error)
            return true
        }
    }

    /// Performs as many steps of a task as this transaction may still perform.
    ///
    /// - Returns: whether the task is finished.
    func goOn(with work: inout StepwiseWork) throws -> Bool {
        var isDone = false
        while !isDone, room > 0 { isDone = try step(&work) }
        return isDone
    }
    /// Returns the earliest time at which an unfinished task falls due; `nil` if no task waits.
    func nextWorkDue() throws -> Timestamp? { try work.nextDue() }

    /// Returns the earliest time at which a task falls due or a message expires; `nil` if no task waits and no message expires.
    func nextDue() throws -> Timestamp? {
        let (work, end) = (try nextWorkDue(), try messages.nextEnd())
        return [work, end].compactMap(\.self).min()
    }

    /// The queries of ``nextDue()``.
    static let next = [WorkTable.nextDue, MessagesTable.nextEnd]

    /// Performs one step of a task.
    ///
    /// - Returns: whether the task is finished.
    private func step(_ work: inout StepwiseWork) throws -> Bool {
        switch work.task {
        case .accept(let addressing): return try Addressing(session).stepOrStart(addressing, &work)
        case .hold(let message): return try Steering(session).stepChannels(of: message, hold: true, &work)
        case .letGo(let message): return try Steering(session).stepChannels(of: message, hold: false, &work)
        case .cancel(let message): return try Steering(session).stepCancellation(of: message, &work)
        case .recall(let message, let wait):
            return try Withdrawing(session).stepRecall(of: message, wait: .milliseconds(wait), &work)
        case .end(let message): return try Withdrawing(session).stepEnd(of: message, &work)
        case .read(var reading):
            defer { work.task = .read(reading) }
            return try MarkingRead(session).step(&reading)
        case .signOut(var signingOut):
            defer { work.task = .signOut(signingOut) }
            return try SigningOut(session).step(&signingOut)
        case .follow(let following): return try FollowingActivities(session).step(following, &work)
        case .tokens(let following): return try FollowingActivities(session).stepTokens(following, &work)
        case .reload(var reloading):
            defer { work.task = .reload(reloading) }
            return try ReloadingWidgets(session).step(&reloading, &work.position)
        case .erase: return true
        }
    }
}
