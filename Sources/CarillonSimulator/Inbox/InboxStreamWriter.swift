import CarillonCore
import NIOCore
import Synchronization

/// Tells one reader of the inbox that something new is in the journal, at most once in ``SimulatorLimits/inboxPause``.
///
/// The reader gets the number of the newest entry, and asks for the pushes itself. So a thousand pushes a second are no more work
/// for it than one.
struct InboxStreamWriter: Sendable {
    private final class Bell: Sendable {
        private struct State {
            var newest: Int
            var isScheduled = false
        }

        private let writer: EventStreamWriter
        private let state: Mutex<State>

        init(writer: EventStreamWriter, newest: Int) {
            self.writer = writer
            state = Mutex(State(newest: newest))
        }

        func ring(_ number: Int) {
            let isFirst = state.withLock { state in
                state.newest = number
                defer { state.isScheduled = true }
                return !state.isScheduled
            }
            guard isFirst else { return }
            writer.channel.eventLoop.scheduleTask(in: SimulatorLimits.inboxPause) { self.tell() }
        }

        func tell() {
            let newest = state.withLock { state in
                state.isScheduled = false
                return state.newest
            }
            _ = writer.send(["newest": .int(Int64(newest))], id: nil)
        }
    }

    let channel: any Channel

    func run(_ news: AsyncStream<SimulatorEvent>, newest: Int) async {
        let writer = EventStreamWriter(channel: channel)
        writer.begin()
        let bell = Bell(writer: writer, newest: newest)
        bell.tell()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await event in news { bell.ring(event.number) }
                channel.close(promise: nil)
            }
            group.addTask { try? await channel.closeFuture.get() }
            await group.next()
            group.cancelAll()
        }
    }
}
