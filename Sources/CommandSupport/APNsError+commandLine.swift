import CarillonAPNs

extension APNsError {
    /// The error's advice; for an untrusted certificate authority, it names the command's option `--ca`.
    package var commandLineAdvice: String {
        code == .untrustedAuthority
            ? "give --ca FILE with the certificate of the authority that signed the server's; that of the simulator is "
                + "ca.pem"
            : advice
    }
}
