import CarillonAPNs

extension APNsError {
    /// What to do next, by the options of a command.
    package var commandLineAdvice: String {
        code == .untrustedAuthority
            ? "give --ca FILE with the certificate of the authority that signed the server's; that of the simulator is "
                + "ca.pem"
            : advice
    }
}
