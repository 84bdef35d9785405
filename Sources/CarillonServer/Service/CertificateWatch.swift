import CarillonCore
import Logging
import ServiceLifecycle

/// Checks every few seconds whether the files of the listeners' certificates have changed, and warns before a certificate ends.
struct CertificateWatch: Service {
    let service: ServiceContext
    let certificates: [ListenerCertificate]

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var lastSaid: Timestamp?
            while true {
                for certificate in certificates { look(certificate) }
                let now = service.clock.now
                if lastSaid.map({ now >= $0 + ServiceLimits.credentialReminder }) ?? true {
                    lastSaid = now
                    for certificate in certificates { warn(certificate, at: now) }
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
        guard certificate.end - now < ServiceLimits.certificateWarning else { return }
        service.logger.warning(
            "the certificate of a listener ends soon or has ended",
            metadata: ["file": "\(certificate.files.certificate)", "ends": "\(certificate.end)"])
    }
}
