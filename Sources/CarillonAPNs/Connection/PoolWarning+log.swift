import Logging

extension PoolWarning {
    /// Writes one log line with a constant message.
    ///
    /// The variable parts are metadata.
    func log(to logger: Logger) {
        switch self {
        case .connectionLost(let id, let inFlight, let why):
            logger.warning(
                "connection to APNs lost",
                metadata: ["connection": "\(id)", "in_flight": "\(inFlight)", "why": "\(why)"])
        case .connectFailed(let id, let attempt, let retryIn, let why):
            logger.warning(
                "connecting to APNs failed",
                metadata: [
                    "connection": "\(id)", "attempt": "\(attempt)", "retry_in": "\(retryIn)", "why": "\(why)",
                ])
        case .goAway(let id, let reason, let sentAgain):
            logger.info(
                "APNs closes a connection",
                metadata: ["connection": "\(id)", "reason": "\(reason)", "sent_again": "\(sentAgain)"])
        case .connectionReplaced(let id, let reason):
            logger.notice(
                "connection to APNs replaced", metadata: ["connection": "\(id)", "reason": "\(reason)"])
        case .connectionMute(let id):
            logger.warning(
                "a connection to APNs answers nothing: the next requests go by another",
                metadata: ["connection": "\(id)"])
        case .connectionUseless(let id, let why):
            logger.warning(
                "a connection to APNs takes no requests: the next ones go by another",
                metadata: ["connection": "\(id)", "why": "\(why)"])
        case .clockDoubtful(let lead):
            let seconds = lead.map { "\($0.components.seconds)" } ?? "unknown"
            logger.error(
                "APNs rejects a new provider token as expired: check this machine's clock",
                metadata: ["seconds_ahead_of_the_answer": "\(seconds)"])
        }
    }
}
