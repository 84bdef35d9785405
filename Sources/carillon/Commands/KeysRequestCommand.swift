import ArgumentParser
import CarillonAPNs
import Foundation

/// `carillon keys request`: the first step to a push certificate.
struct KeysRequestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Makes a private key and a certificate signing request for Apple's developer site.",
        discussion: """
            Upload the request where Apple's developer site asks for one (Certificates, Apple Push Notification service \
            SSL), and keep the private key. Files that exist are not overwritten. A signing key (.p8) needs no request: \
            Apple makes it.

            Examples:
              carillon keys request --name "Chime push"
              carillon keys request --name "Chime push" --email ops@example.com --request chime.csr --private-key chime.key
              openssl x509 -inform DER -in aps.cer -out aps.pem && cat aps.pem push.key > chime.pem   # afterwards
            """)

    @Option(help: ArgumentHelp("A name by which to recognise the certificate.", valueName: "text"))
    var name: String

    @Option(help: ArgumentHelp("Of whoever is responsible for it. (default: none)", valueName: "address"))
    var email: String?

    @Option(help: ArgumentHelp("Where the request is written.", valueName: "file"))
    var request = "push.certSigningRequest"

    @Option(help: ArgumentHelp("Where the private key is written, readable by you alone.", valueName: "file"))
    var privateKey = "push.key"

    func run() throws {
        for (option, path) in [("--private-key", privateKey), ("--request", request)]
        where FileManager.default.fileExists(atPath: path) {
            throw ValidationError("\(option) \(path): the file exists, and is not overwritten")
        }
        let made = try APNsCertificateRequest(commonName: name, emailAddress: email)
        try NewFile.write(made.privateKeyPEM, to: privateKey, option: "--private-key", isSecret: true)
        try NewFile.write(made.pem, to: request, option: "--request", isSecret: false)
        try StandardOutput.write(
            """
            private key  \(privateKey) (keep it; only you can read it)
            request      \(request) (upload it to Apple's developer site)
            """)
    }
}
