import CarillonCore
import Foundation
import TestSupport
import Testing

/// Every example of docs/sign-in.md, run by the interpreter that it is for, against a service in a process of its own.
@Suite("Sign-in tokens, as the page makes them", .serialized)
struct SignInExampleTests {
    private static let page = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs/sign-in.md")

    enum Example: String, CaseIterable {
        case python, javascript, ruby, bash
        case javascriptES256 = "javascript, ES256"

        var interpreter: String {
            switch self {
            case .python: "python3"
            case .javascript, .javascriptES256: "node"
            case .ruby: "ruby"
            case .bash: "bash"
            }
        }

        /// The example as the page shows it.
        var code: String {
            get throws {
                let text = try String(contentsOf: page, encoding: .utf8)
                let language = self == .javascriptES256 ? "javascript" : rawValue
                let blocks = text.components(separatedBy: "```\(language)\n").dropFirst()
                    .compactMap { $0.components(separatedBy: "```").first }
                    .filter { $0.contains("ES256") == (self == .javascriptES256) }
                try #require(blocks.count == 1, "the page has one such example")
                return blocks[0]
            }
        }

        /// Runs the example, or `code` in its place.
        ///
        /// - Returns: the token that it prints.
        func token(_ key: Key, code: String? = nil) async throws -> String {
            let folder = try TemporaryFolder()
            let file = folder.url.appending(path: "example.\(self == .javascriptES256 ? "js" : rawValue)")
            try (code ?? self.code).write(to: file, atomically: true, encoding: .utf8)
            let run = try await CarillonProgram.runTool(key.environment + [interpreter, file.path])
            try #require(run.status == 0 && run.errors.isEmpty, "\(run.transcript)")
            return try #require(run.lines.first)
        }
    }

    /// The key with which an example signs.
    struct Key {
        var id = ""
        /// In hexadecimal.
        var secret = ""
        /// PEM.
        var privateKey: URL?
        /// The folder with the service's own secret.
        var serviceData: URL?

        var environment: [String] {
            [
                "SIGN_IN_KID=\(id)", "SIGN_IN_SECRET=\(secret)", "SIGN_IN_PRIVATE_KEY=\(privateKey?.path ?? "")",
                "SERVICE_DATA=\(serviceData?.path ?? "")",
            ]
        }
    }

    /// A key that the service knows, and one that only calls itself so.
    private func keys(
        for example: Example, of service: ServiceProgram, in folder: TemporaryFolder
    ) async throws -> (right: Key, wrong: Key) {
        let otherSecret = String(repeating: "0f", count: 32)
        switch example {
        case .python, .javascript, .ruby:
            let key = try await makeKey(for: service)
            return (key, Key(id: key.id, secret: otherSecret))
        case .bash:
            try "\(otherSecret)\n".write(
                to: folder.url.appending(path: "sign-in.secret"), atomically: true, encoding: .utf8)
            return (Key(serviceData: service.folder.url), Key(serviceData: folder.url))
        case .javascriptES256:
            let pairs = try await [makePair("backend", in: folder), makePair("stranger", in: folder)]
            let answer = try await service.command("sign-in-keys", "create", "--public-key", pairs[0].public.path)
            let id = try #require(answer?["kid"]?.stringValue)
            return (Key(id: id, privateKey: pairs[0].private), Key(id: id, privateKey: pairs[1].private))
        }
    }

    private func makeKey(for service: ServiceProgram) async throws -> Key {
        let answer = try await service.command("sign-in-keys", "create")
        return Key(
            id: try #require(answer?["kid"]?.stringValue), secret: try #require(answer?["secret"]?.stringValue))
    }

    /// A pair for ES256, made with the commands of the page.
    private func makePair(_ name: String, in folder: TemporaryFolder) async throws -> (private: URL, public: URL) {
        let files = ["\(name)-private.pem", "\(name).pem"].map { folder.url.appending(path: $0) }
        for arguments in [
            ["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", files[0].path],
            ["ec", "-in", files[0].path, "-pubout", "-out", files[1].path],
        ] {
            let run = try await CarillonProgram.runTool(["openssl"] + arguments)
            try #require(run.status == 0, "\(run.transcript)")
        }
        return (files[0], files[1])
    }

    @Test(
        "an example of the page makes a token that binds, and with another key one that is refused",
        arguments: Example.allCases)
    func binds(example: Example) async throws {
        let folder = try TemporaryFolder()
        try await ServiceProgram.run { service in
            let keys = try await keys(for: example, of: service, in: folder)
            let bound = try await service.register("phone", signInToken: try await example.token(keys.right))
            #expect(bound.status == 200 && bound.json["user"] == "u-42", "\(bound)")

            let refused = try await service.register("stranger", signInToken: try await example.token(keys.wrong))
            #expect(refused.status == 422 && refused.json["pointer"] == "/sign_in_token", "\(refused)")
            #expect(refused.json["detail"]?.stringValue?.hasPrefix("the sign-in token is not signed with") == true)
        }
    }

    @Test("a key is replaced without refusing anybody, and refused once it is revoked, while the service runs")
    func rotates() async throws {
        try await ServiceProgram.run { service in
            let old = try await makeKey(for: service)
            let oldToken = try await Example.python.token(old)
            #expect(try await service.register("before", signInToken: oldToken).status == 200)

            let newToken = try await Example.python.token(try await makeKey(for: service))
            for (index, token) in [oldToken, newToken].enumerated() {
                #expect(try await service.register("meanwhile-\(index)", signInToken: token).status == 200)
            }

            try await service.command("sign-in-keys", "revoke", old.id)
            let refused = try await service.register("after-0", signInToken: oldToken)
            #expect(refused.status == 422, "\(refused)")
            #expect(try await service.register("after-1", signInToken: newToken).status == 200)
        }
    }

    /// A mistake in the Python example, and the row of the page's table that speaks of it.
    private static let mistakes: [(right: String, wrong: String, sentence: String)] = [
        (#" + b"." + part(signature)"#, "", "is not a compact JWT of at most 2048 bytes"),
        (#""HS256""#, #""none""#, "must be signed with HS256 or ES256, as alg in its header says"),
        (
            #"{"alg": "HS256", "#, #"{"alg": "HS256", "crit": ["b64"], "b64": True, "#,
            "has crit in its header, which names extensions that the service does not know"
        ),
        (#"os.environ["SIGN_IN_KID"]}"#, "42}", "has a kid that is no string"),
        (#"os.environ["SIGN_IN_KID"]}"#, #""other"}"#, "names a kid that is none of the app's sign-in keys"),
        (
            #"bytes.fromhex(os.environ["SIGN_IN_SECRET"])"#, #"os.environ["SIGN_IN_SECRET"].encode()"#,
            "is not signed with the app's key KID"
        ),
        (#", "kid": os.environ["SIGN_IN_KID"]}"#, "}", "is not signed with the service's sign-in secret"),
        (#""u-42""#, "42", "must name a user in sub: …"),
        ("now + 300", "now - 1", "has expired, or has no exp in seconds; ask the backend for a new one"),
        (
            #""iat": now, "#, #""iat": now * 1000, "#,
            "has no iat in seconds, or one in the future; check the backend's clock"
        ),
        (
            "now + 300", "now + 601", "is valid for longer than 600 s: exp must be closer to iat"
        ),
        ("com.example.chime", "com.example.ferry", "is for another app: aud must be com.example.chime"),
    ]

    /// A mistake only where the service was started with `--require-sign-in-keys`.
    private static let withoutKey = (
        right: #", "kid": os.environ["SIGN_IN_KID"]}"#, wrong: "}",
        sentence: "names no key in kid, and this service takes tokens of the app's sign-in keys only"
    )

    @Test("a mistake in an example is refused with the sentence that the page lists, and the page lists no other")
    func sentences() async throws {
        let rows = try String(contentsOf: Self.page, encoding: .utf8).components(separatedBy: "## What is refused")
        let listed = try #require(rows.last).split(separator: "\n").filter { $0.hasPrefix("| `") }
            .map { $0.split(separator: "`")[1] }
        #expect(listed.map(String.init).filter { $0 != Self.withoutKey.sentence } == Self.mistakes.map(\.sentence))
        #expect(listed.contains(Self.withoutKey.sentence[...]))
        try await refuse(Self.mistakes)
        try await refuse([Self.withoutKey], with: ["--require-sign-in-keys"])
    }

    /// Makes each mistake, and expects the refusal that the page lists.
    private func refuse(
        _ mistakes: [(right: String, wrong: String, sentence: String)], with options: [String] = []
    ) async throws {
        try await ServiceProgram.run(options) { service in
            let key = try await makeKey(for: service)
            let code = try Example.python.code
            for mistake in mistakes {
                try #require(code.contains(mistake.right), "the example has changed: \(mistake.right)")
                let token = try await Example.python.token(
                    key, code: code.replacingOccurrences(of: mistake.right, with: mistake.wrong))
                let answer = try await service.register("phone", signInToken: token)
                let sentence = mistake.sentence.replacing("KID", with: key.id).replacing("…", with: "")
                #expect(answer.status == 422, "\(mistake)")
                #expect(
                    answer.json["detail"]?.stringValue?.hasPrefix("the sign-in token \(sentence)") == true,
                    "\(mistake): \(answer)")
            }
        }
    }
}
