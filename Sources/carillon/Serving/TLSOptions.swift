import ArgumentParser
import CarillonServer
import CommandSupport
import ServiceSupport

/// The options for the certificates with which the service itself speaks TLS, without a proxy before it.
struct TLSOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The certificate for --port, with its intermediate certificates (PEM). The port then speaks HTTPS only.",
            discussion: "A changed file is used within seconds.", valueName: "file"))
    var tlsCertificate: String?

    @Option(
        help: ArgumentHelp("The certificate's private key (PEM). (default: in --tls-certificate)", valueName: "file"))
    var tlsKey: String?

    @Option(help: ArgumentHelp("The certificate for --operator-port (PEM).", valueName: "file"))
    var operatorTLSCertificate: String?

    @Option(
        help: ArgumentHelp(
            "That certificate's private key (PEM). (default: in --operator-tls-certificate)", valueName: "file"))
    var operatorTLSKey: String?

    func validate() throws {
        guard tlsKey == nil || tlsCertificate != nil else { throw ValidationError("--tls-key needs --tls-certificate") }
        guard operatorTLSKey == nil || operatorTLSCertificate != nil else {
            throw ValidationError("--operator-tls-key needs --operator-tls-certificate")
        }
    }

    /// Reads the certificate for `--port`; returns `nil` without the option.
    ///
    /// - Throws: an error whose description names the option, if the files cannot be used or every user can read the key.
    func certificate() throws -> ListenerCertificate? {
        try Self.certificate(tlsCertificate, tlsKey, option: "--tls-certificate")
    }

    /// Reads the certificate for `--operator-port`; returns `nil` without the option.
    ///
    /// - Throws: an error whose description names the option, if the files cannot be used or every user can read the key.
    func operatorCertificate() throws -> ListenerCertificate? {
        try Self.certificate(operatorTLSCertificate, operatorTLSKey, option: "--operator-tls-certificate")
    }

    private static func certificate(
        _ certificate: String?, _ key: String?, option: String
    ) throws -> ListenerCertificate? {
        guard let certificate else { return nil }
        let key = key ?? certificate
        try CommandFile.checkIsForService(key, option: option)
        do {
            return try ListenerCertificate(.init(certificate: certificate, key: key))
        } catch {
            throw ValidationError("\(option): \(error)")
        }
    }
}
