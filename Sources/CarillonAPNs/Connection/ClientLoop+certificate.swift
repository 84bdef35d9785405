import CarillonCore
import Logging

extension ClientLoop {
    /// Asks now and from then on once a day, also while no connection is opened.
    func watchCertificate() {
        if let warning = certificateWatch.warning(at: now.wall) {
            logger.warning("the client certificate ends soon", metadata: ["what": "\(warning)"])
        }
        guard certificateWakeUp == nil, let interval = certificateWatch.interval else { return }
        certificateWakeUp = clock.schedule(after: interval) { [weak self] in
            self?.executeUnlessClosed { loop in
                loop.certificateWakeUp = nil
                loop.watchCertificate()
            }
        }
    }
}
