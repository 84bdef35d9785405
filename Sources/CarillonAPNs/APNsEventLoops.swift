import NIOCore
import NIOPosix

/// Event loops that many clients share, so that a process needs no thread for each client.
///
/// Make one, put it into the configurations of the clients, and shut it down after all of them.
package final class APNsEventLoops: Sendable {
    let group: MultiThreadedEventLoopGroup

    /// Makes as many loops as the machine has cores, but at most ``ClientLimits/sharedLoops``.
    package init() {
        group = MultiThreadedEventLoopGroup(numberOfThreads: min(System.coreCount, ClientLimits.sharedLoops))
    }

    /// Ends the loops and their threads.
    ///
    /// This method may be called any number of times and from several tasks at once.
    package func shutdown() async {
        // Fails if another call has shut the loops down, which is then done.
        try? await group.shutdownGracefully()
    }
}
