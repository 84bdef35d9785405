import CarillonCore
import Foundation

/// A user who is erased is named no more by what is still to be sent.
extension StoreTransaction {
    /// Messages that wait for their moment, or are still on their way, are not for the user any more.
    ///
    /// The user's place stays, empty: the others keep theirs.
    func leaveOut(_ user: UserReference) throws {
        let name = String(decoding: try CarillonJSON.encode(user.id), as: UTF8.self)
        let waiting = try rows(
            "SELECT number, state FROM work WHERE kind = ? AND \(dialect.position)(state, ?) > 0",
            [StepwiseWork.addressing, name])
        for row in waiting {
            let state: String = row["state"]
            guard var work = try? CarillonJSON.decode(StepwiseWork.self, from: Data(state.utf8)),
                case .accept(var addressing) = work.task, addressing.app == user.app.rawValue,
                case .users(let users) = addressing.recipients
            else { continue }
            addressing.recipients = .users(users.map { UserID.isEqual($0, user.id) ? "" : $0 })
            work.task = .accept(addressing)
            try execute(
                "UPDATE work SET state = ? WHERE number = ?",
                [String(decoding: try CarillonJSON.encode(work), as: UTF8.self), row["number"] as Int64])
        }
    }

    /// The same of revisions to named users that are sent by the ranges of the one before.
    func leaveOutOfRanges(_ user: UserReference) throws {
        let named = try rows(
            "SELECT message, condition FROM ranges WHERE app = ? AND \(dialect.position)(condition, ?) > 0",
            [user.app.rawValue, try Self.json(user.id)])
        for row in named {
            guard case .users(let users) = try Audience(rangeCondition: row.text("condition")) else { continue }
            let others = Audience.users(users.filter { !UserID.isEqual($0, user.id) })
            try execute(
                "UPDATE ranges SET condition = ? WHERE message = ?",
                [try others.rangeCondition, row["message"] as Int64])
        }
    }
}
