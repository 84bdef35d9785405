import CarillonCore
import Logging
import ServiceLifecycle

/// Looks every few seconds for changed files of the listeners' TLS certificates, and makes new connections use them.
///
/// In the last days of a certificate (``ServiceLimits/certificateWarning``) and after its end, the log gets a warning once a day.
struct CertificateWatch: Service {
    let service: ServiceContext
    let certificates: [ListenerCertificate]

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            let reminder = LogReminder(every: ServiceLimits.credentialReminder)
            while true {
                for certificate in certificates { look(certificate) }
                if reminder.count(at: service.clock.uptime) != nil {
                    for certificate in certificates { warn(certificate, at: service.clock.now) }
                }
                try await service.clock.sleep(for: ServiceLimits.changedCredentialInterval)
            }
        }
    }

    private func look(_ certificate: ListenerCertificate) {
        do {
            guard try certificate.reload() else { return }
            service.logger.notice(
                "new connections use the changed certificate",
                metadata: ["file": "\(certificate.files.certificate)", "ends": "\(certificate.end)"])
        } catch {
            service.logger.error(
                "the changed certificate cannot be used, so the former one stays", metadata: ["fault": "\(error)"])
        }
    }

    private func warn(_ certificate: ListenerCertificate, at now: Timestamp) {
        guard certificate.endsSoon(at: now) else { return }
        service.logger.warning(
            "the certificate of a listener ends soon or has ended",
            metadata: ["file": "\(certificate.files.certificate)", "ends": "\(certificate.end)"])
    }
}
