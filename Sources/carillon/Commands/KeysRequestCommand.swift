import ArgumentParser
import CarillonAPNs
import CommandSupport
import Foundation

/// `carillon keys request`: makes a certificate signing request, the first step to a push certificate.
struct KeysRequestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Creates a private key and a certificate signing request for Apple's developer site.",
        discussion: """
            Upload the request to Apple's developer site (Certificates, Apple Push Notification service SSL) and keep the \
            private key. Existing files are not overwritten. A signing key (.p8) needs no request: Apple creates it.

            Examples:
              carillon keys request --name "Chime push"
              carillon keys request --name "Chime push" --email ops@example.com \\
                --request chime.csr --private-key chime.key
              # later, with the certificate from Apple:
              openssl x509 -inform DER -in aps.cer -out aps.pem
              cat aps.pem push.key > chime.pem
            """)

    @Option(help: ArgumentHelp("A name to recognise the certificate by.", valueName: "text"))
    var name: String

    @Option(help: ArgumentHelp("The email address of the responsible person. (default: none)", valueName: "address"))
    var email: String?

    @Option(help: ArgumentHelp("The file for the request.", valueName: "file"))
    var request = "push.certSigningRequest"

    @Option(help: ArgumentHelp("The file for the private key, readable only by you.", valueName: "file"))
    var privateKey = "push.key"

    func run() throws {
        for (option, path) in [("--private-key", privateKey), ("--request", request)]
        where FileManager.default.fileExists(atPath: path) {
            throw ValidationError("\(option) \(path): the file exists and is not overwritten")
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
