import Foundation
import TestSupport
import Testing

/// Resolves the packages as Xcode and SwiftPM do, as far as that can be seen without a Mac.
@Suite("Packages, as others add them", .serialized) struct PackageResolutionTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private struct Manifest: Decodable {
        struct Product: Decodable {
            var name: String
            var targets: [String]
        }

        struct Target: Decodable {
            var name: String
            var dependencies: [TargetDependency]
        }

        /// Another target of the same package.
        struct TargetDependency: Decodable { var byName: [String?]? }

        var products: [Product]
        var targets: [Target]
        var dependencies: [Dependency]

        /// Only how many there are is of interest.
        struct Dependency: Decodable { init(from decoder: any Decoder) {} }

        /// The targets that who takes a product links.
        func linked(by product: String) -> Set<String> {
            linked(from: products.first { $0.name == product }?.targets ?? [])
        }

        /// These targets and all that they depend on, directly or not.
        func linked(from names: [String]) -> Set<String> {
            var linked: Set<String> = []
            var rest = names
            while let name = rest.popLast() {
                guard linked.insert(name).inserted else { continue }
                rest += targets.first { $0.name == name }?.dependencies.compactMap { $0.byName?.first ?? nil } ?? []
            }
            return linked
        }
    }

    private func swift(
        _ arguments: String..., environment: [String] = [], scratch: URL? = nil
    ) async throws -> ProgramRun {
        let folder = try TemporaryFolder()
        return try await ProgramRun.of(
            URL(fileURLWithPath: "/usr/bin/env"),
            environment + ["swift", "package", "--scratch-path", (scratch ?? folder.url).path] + arguments)
    }

    private func manifest(environment: [String] = []) async throws -> Manifest {
        let run = try await swift("--package-path", Self.root.path, "dump-package", environment: environment)
        try #require(run.status == 0, "\(run.transcript)")
        return try JSONDecoder().decode(Manifest.self, from: run.data)
    }

    /// Puts the package into a repository with a version, as people add it by its address.
    private func repository(in folder: TemporaryFolder) async throws -> URL {
        let repository = folder.url.appending(path: "carillon")
        try FileManager.default.createDirectory(at: repository, withIntermediateDirectories: true)
        for name in ["Package.swift", "Sources", "Tests", "Examples", "Benchmarks"] {
            try FileManager.default.copyItem(
                at: Self.root.appending(path: name), to: repository.appending(path: name))
        }
        // Whoever runs the tests may have no name, or sign what they commit.
        let settings = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"]
        for arguments in [
            ["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "0.1.0"], ["tag", "0.1.0"],
        ] {
            let run = try await ProgramRun.of(
                URL(fileURLWithPath: "/usr/bin/env"), ["git", "-C", repository.path] + settings + arguments)
            try #require(run.status == 0, "\(run.transcript)")
        }
        return repository
    }

    /// Makes a package with a target for each of these products, and lists the packages that it resolves.
    ///
    /// - Parameter scratch: Where the packages are checked out; those that are there already are not cloned again.
    private func resolved(
        by app: URL, in scratch: URL, adding repository: URL, traits: String = "", products: [String],
        seenFrom view: String = "apple"
    ) async throws -> Set<String> {
        let sources = app.appending(path: "Sources/App")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        try Data("import Foundation\n".utf8).write(to: sources.appending(path: "App.swift"))
        let linked = products.map { #".product(name: "\#($0)", package: "carillon")"# }.joined(separator: ", ")
        let text = """
            // swift-tools-version:6.2
            \("import PackageDescription")
            let package = Package(
                name: "App", platforms: [.iOS(.v16), .macOS(.v15)],
                dependencies: [.package(url: "\(repository.absoluteString)", from: "0.1.0"\(traits))],
                targets: [.target(name: "App", dependencies: [\(linked)])])
            """
        try Data(text.utf8).write(to: app.appending(path: "Package.swift"))
        let run = try await swift(
            "--package-path", app.path, "show-dependencies", "--format", "flatlist",
            environment: ["CARILLON_PLATFORM=\(view)"], scratch: scratch)
        #expect(run.status == 0, "\(run.transcript)")
        struct Pins: Decodable {
            struct Pin: Decodable { var identity: String }
            var pins: [Pin]
        }
        let pins = try Data(contentsOf: app.appending(path: "Package.resolved"))
        #expect(!run.transcript.contains("unsafe build flags"))
        return Set(try JSONDecoder().decode(Pins.self, from: pins).pins.map(\.identity))
    }

    @Test("an app that adds the repository by its address resolves nothing but the SDK; a sender asks for the trait")
    func consumer() async throws {
        let folder = try TemporaryFolder()
        let repository = try await repository(in: folder)
        let scratch = folder.url.appending(path: "scratch")
        let app = try await resolved(
            by: folder.url.appending(path: "app"), in: scratch, adding: repository,
            products: ["CarillonApp", "CarillonExtension", "CarillonBanner", "CarillonCore", "CarillonMessaging"])
        #expect(app == ["carillon"])
        for view in ["apple", "linux"] {
            let sender = try await resolved(
                by: folder.url.appending(path: "sender-\(view)"), in: scratch, adding: repository,
                traits: #", traits: ["Service"]"#, products: ["CarillonAPNs", "CarillonSimulator"], seenFrom: view)
            #expect(sender.isSuperset(of: ["carillon", "swift-nio", "swift-nio-ssl", "swift-nio-http2"]))
            if view == "apple" {
                #expect(sender.isDisjoint(with: ["grdb.swift", "hummingbird", "swift-argument-parser"]))
            }
        }
    }

    @Test("seen from Apple's platforms the package has the products that the documentation names")
    func products() async throws {
        let manifest = try await manifest(environment: ["CARILLON_PLATFORM=apple"])
        let products = manifest.products.map(\.name)
        #expect(
            products == [
                "CarillonAPNs", "CarillonSimulator", "CarillonApp", "CarillonExtension", "CarillonBanner",
                "CarillonCore", "CarillonMessaging",
            ])
        let page = try String(contentsOf: Self.root.appending(path: "docs/xcode.md"), encoding: .utf8)
        let named = Set(page.matches(of: /-scheme (\w+)/).map { String($0.1) }).subtracting(["Ferry", "Chime"])
        #expect(named.count >= 3 && named.isSubset(of: products), "schemes are products: \(named)")
    }

    @Test("the example app adds the package and resolves nothing else")
    func example() async throws {
        let run = try await swift(
            "--package-path", Self.root.appending(path: "Examples/Chime").path, "show-dependencies", "--format",
            "flatlist", environment: ["CARILLON_PLATFORM=apple"])
        #expect(run.status == 0 && run.lines.count == 1, "\(run.transcript)")
    }

    @Test(
        "a service extension links neither UIKit nor the banner nor the app's side, and an app no banner unless it asks"
    )
    func linked() async throws {
        let manifest = try await manifest(environment: ["CARILLON_PLATFORM=apple"])
        let core: Set = ["CarillonCore", "CarillonMessaging", "CarillonUserInfo"]
        #expect(manifest.linked(by: "CarillonExtension") == core.union(["CarillonExtension"]))
        #expect(manifest.linked(by: "CarillonApp") == core.union(["CarillonApp"]))
        #expect(manifest.linked(by: "CarillonBanner").contains("CarillonBanner"))
        var imported: Set<String> = []
        for target in manifest.linked(by: "CarillonExtension") {
            let folder = Self.root.appending(path: "Sources/\(target)")
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
                $0.hasSuffix(".swift")
            }
            #expect(!files.isEmpty)
            for file in files {
                let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
                imported.formUnion(text.matches(of: /(?m)^\s*(?:@\w+ )?import (\w+)/).map { String($0.1) })
            }
        }
        let allowed: Set<String> = [
            "CarillonCore", "CarillonMessaging", "CarillonUserInfo", "Darwin", "Dispatch", "Foundation",
            "FoundationNetworking", "Glibc", "Synchronization", "UserNotifications", "os",
        ]
        #expect(imported.subtracting(allowed).isEmpty, "an extension has 24 MB: \(imported.subtracting(allowed))")
        #expect(imported.contains("UserNotifications"))
    }

    @Test("`make` on a Mac sees nothing that needs UIKit, and Apple's view nothing of the simulated phone")
    func onMac() async throws {
        let mac = try await manifest(environment: ["CARILLON_PLATFORM=mac"])
        #expect(mac.products.map(\.name) == ["CarillonAPNs", "CarillonSimulator"])
        let apple = try await manifest(environment: ["CARILLON_PLATFORM=apple"])
        let linux = try await manifest()
        let phones: Set<String> = ["UIKit", "UserNotifications", "CarillonDevice", "CarillonAppTests", "Chime"]
        #expect(phones.isSubset(of: linux.targets.map(\.name)))
        #expect(phones.isDisjoint(with: apple.targets.map(\.name)))
        #expect(phones.union(["CarillonApp", "CarillonBanner"]).isDisjoint(with: mac.targets.map(\.name)))
        #expect(linux.products.map(\.name).contains("CarillonDevice"))
    }

    @Test("the program carillon has no phone, no UIKit and no example app in it, and a Mac can build it")
    func program() async throws {
        let apple = try await manifest(environment: ["CARILLON_PLATFORM=apple"])
        let linux = try await manifest()
        let parts = linux.linked(from: ["carillon"])
        #expect(
            parts == [
                "CPostgreSQL", "CZlib", "CarillonAPNs", "CarillonCore", "CarillonExplain", "CarillonPage",
                "CarillonServer", "CarillonSimulator", "CommandSupport", "ServiceSupport", "carillon",
            ])
        // SwiftPM makes a product of each executable target of the root package.
        #expect(parts.isSubset(of: apple.targets.map(\.name)) && apple.linked(from: ["carillon"]) == parts)
        let phones = linux.linked(by: "carillon-phones")
        #expect(phones.isSuperset(of: ["CarillonDevice", "Chime", "UIKit"]) && !phones.contains("carillon"))
    }

    @Test("warnings are errors only where the Makefile says so, as the compiler refuses that beside Xcode's silence")
    func strictness() async throws {
        for environment in [[], ["CARILLON_STRICT=1"]] {
            let unset = ["--unset=CARILLON_STRICT"] + environment
            let run = try await swift("--package-path", Self.root.path, "dump-package", environment: unset)
            #expect(run.output.contains("treatAllWarnings") == !environment.isEmpty)
        }
    }
}
