import CarillonAPNs

extension APNsError {
    /// The error's advice, in terms of the command's options.
    package var commandLineAdvice: String {
        code == .untrustedAuthority
            ? "give --ca FILE with the certificate of the authority that signed the server's; that of the simulator is "
                + "ca.pem"
            : advice
    }
}
