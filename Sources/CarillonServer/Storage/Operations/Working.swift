import CarillonCore
import Foundation

/// Work in steps: no transaction grows with an audience, and what a crash interrupts goes on.
///
/// The steps of a task are those of the operation that begins it.
struct Working: SessionPart {
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

    /// Begins a piece of work: what this transaction has room for is done, the rest is written down.
    func begin(_ task: StepwiseWork.Task) throws {
        var work = StepwiseWork(task)
        if room > 0, try goOn(with: &work) { return }
        session.unfinished.append(try self.work.insert(work, due: 0))
    }

    /// Writes down a piece of work that a sender begins when its time has come.
    func schedule(_ task: StepwiseWork.Task, at due: Timestamp) throws {
        try work.insert(StepwiseWork(task, phase: StepwiseWork.waitingPhase), due: due.millisecondsSince1970)
    }

    /// Goes on with what is left, the oldest first, and begins what falls due, as far as this transaction has room.
    ///
    /// - Returns: how many devices it has dealt with.
    func goOn() throws -> Int {
        let before = room
        while room > 0 {
            if let row = try work.oldestDue() {
                try goOn(withRow: row)
            } else if let message = try messages.nextEnded() {
                try messages.noteEnded(message)
                try ranges.mark(message, .ended)
                try begin(.end(message: message))
            } else {
                break
            }
        }
        return before - room
    }

    /// Goes on with certain pieces of work, in that order, as far as there is room; what is left is ``unfinished``.
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

    /// - Returns: whether nothing is left, or nothing can be done about it.
    @discardableResult
    func goOn(withRow row: SQLRow) throws -> Bool {
        let number: Int64 = row["number"]
        do {
            let state: String = row["state"]
            var work = try CarillonJSON.decode(StepwiseWork.self, from: Data(state.utf8))
            let isDone = try goOn(with: &work)
            if isDone {
                try self.work.delete(number)
            } else {
                try self.work.keep(work, number)
            }
            return isDone
        } catch let error as any EngineError {
            throw error
        } catch {
            // Work that cannot be read must not hold up the rest.
            room -= 1
            try work.setAside(number, because: error)
            return true
        }
    }

    /// - Returns: whether nothing is left.
    func goOn(with work: inout StepwiseWork) throws -> Bool {
        var isDone = false
        while !isDone, room > 0 { isDone = try step(&work) }
        return isDone
    }
    /// When something is to be begun or gone on with; `nil` when there is nothing.
    func nextDue() throws -> Timestamp? {
        let (work, end) = (try self.work.nextDue(), try messages.nextEnd())
        return [work, end].compactMap(\.self).min()
    }

    /// - Returns: whether nothing is left.
    private func step(_ work: inout StepwiseWork) throws -> Bool {
        switch work.task {
        case .accept(let addressing): return try Addressing(session).stepOrStart(addressing, &work)
        case .hold(let message): return try Steering(session).stepChannels(of: message, hold: true, &work)
        case .letGo(let message): return try Steering(session).stepChannels(of: message, hold: false, &work)
        case .cancel(let message): return try Steering(session).stepCancellation(of: message, &work)
        case .recall(let message, let wait):
            return try Ending(session).stepRecall(of: message, wait: .milliseconds(wait), &work)
        case .end(let message): return try Ending(session).stepEnd(of: message, &work)
        case .read(var reading):
            defer { work.task = .read(reading) }
            return try Reading(session).step(&reading)
        case .signOut(var signingOut):
            defer { work.task = .signOut(signingOut) }
            return try SigningOut(session).step(&signingOut)
        case .erase: return true
        }
    }
}
