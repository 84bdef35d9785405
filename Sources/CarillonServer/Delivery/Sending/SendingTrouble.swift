/// A fault that affects all pushes of an app, with the reason in words.
package struct SendingTrouble: Sendable, Hashable {
    /// A kind of trouble.
    ///
    /// The kind determines the advice for the operator, and the time after which a push tests whether sending works again.
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// The app has no usable key or certificate for APNs.
        case missingCredential
        /// APNs refuses the app's key or certificate.
        case refusedCredential
        /// APNs rejects the device tokens of most of the app's devices.
        case rejectedDevices
        /// The TLS certificate of the server at APNs' address is not trusted.
        case distrusted
        /// There is no connection to APNs, or no answer.
        case unreachable
        /// APNs answers every push with an error that does not concern the push itself.
        case failing
    }

    package var kind: Kind
    /// The reason that APNs gave, such as `InvalidProviderToken`, or a description by the service.
    ///
    /// The reason never contains a token, a key or a message's text.
    package var reason: String

    /// An instruction for the operator about this trouble; `nil` if the instruction for its ``Kind`` applies.
    private var ownAdvice: String?

    package init(_ kind: Kind, _ reason: String, advice: String? = nil) {
        self.kind = kind
        self.reason = reason
        ownAdvice = advice
    }

    /// The first words of the instructions for the operator if the server at APNs' address is not trusted.
    static let distrustedServer = "the server at APNs' address is not trusted; messages wait."
    static let wrongClock =
        "APNs refuses provider tokens from this machine; messages wait. Set its clock, for example with timedatectl"
    static let wrongTopic =
        "the app's credential may not send for its topic; its messages wait. Is the topic a bundle id, without a suffix such as .voip, and the key or certificate of its team?"

    /// The trouble of an app whose pushes get no answer, although APNs accepts connections.
    package static let silence = SendingTrouble(.unreachable, "APNs has not answered")

    /// Whether a single push that meets this trouble is enough to stop the app's sending.
    ///
    /// If not, sending stops only after the app's pushes have failed for some time (``DeliveryLimits/sendingPatience``).
    package var isCertain: Bool {
        switch kind {
        case .missingCredential, .refusedCredential, .rejectedDevices, .distrusted: true
        case .unreachable, .failing: false
        }
    }

    /// The advice for the operator, as a sentence without a full stop.
    package var advice: String {
        if let ownAdvice { return ownAdvice }
        return switch kind {
        case .missingCredential:
            "there is no usable credential for this app; its messages wait. Add one with 'carillon apps add --key'"
        case .refusedCredential:
            "APNs refuses this app's credential; its messages wait. Replace the key or certificate"
        case .rejectedDevices:
            "no device is given up for it, and the app's messages wait. Check --apns (production or sandbox), the topic and the key's team"
        case .distrusted:
            "\(Self.distrustedServer) Install the system's CA certificates (Debian: ca-certificates), or name the authority with --apns-ca"
        case .unreachable:
            "messages wait, and one push tries again now and then. Check the network, the name server, and that the firewall lets TCP out to APNs' port"
        case .failing:
            "APNs has answered with nothing but errors for a minute; messages wait, and are sent once it takes them"
        }
    }
}
