/// One thing that happens in a round, to messages, programs, APNs or phones; the others are named by their numbers.
enum SimulationStep: Sendable, Hashable {
    /// A request of a backend; `message` counts the round's messages.
    case send(SimulatedMessage)
    case replace(message: Int)
    case recall(message: Int)
    case read(message: Int)

    /// `kill -9`, and a new start.
    case kill(SimulatedProgram)
    /// The program stands still for longer than a lease, from that moment on, and goes on as if nothing had been.
    case freeze(SimulatedProgram, at: FreezeMoment)
    /// Its time of day is set, by so many seconds.
    case setClock(SimulatedProgram, seconds: Int)
    /// It can write nothing, for a while.
    case fillDisk(SimulatedProgram)

    /// APNs takes pushes and loses its answers, answers 503, or cuts connections, for a while.
    case disturbAPNs(APNsDisturbance)

    case goOffline(phone: Int)
    case goOnline(phone: Int)
    /// iOS ends the app for want of memory.
    case endApp(phone: Int)
    /// The person swipes the app away: iOS does not start it for pushes any more.
    case forceQuit(phone: Int)
    case openApp(phone: Int)
    /// The person taps the newest notification: it is read.
    case tap(phone: Int)
}

/// The service's processes on one database.
enum SimulatedProgram: String, Sendable, Hashable, CaseIterable {
    case api
    case firstSender = "first sender"
    case secondSender = "second sender"
}

/// A disturbance of APNs that lasts for a while.
enum APNsDisturbance: Sendable, Hashable, CaseIterable {
    case losesAnswers
    case losesRequests
    case isUnavailable
    case cutsConnections
}

/// A message of a backend.
struct SimulatedMessage: Sendable, Hashable {
    /// `nil` for everyone.
    var user: Int?
    /// As the API names it.
    var mode: String
}
