import CarillonCore
import Logging

extension ClientLoop {
    /// Checks the certificate's expiry, now and once a day from now on, even while no connection is open.
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
