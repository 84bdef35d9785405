import Foundation
import TestSupport
import Testing

/// What Xcode and SwiftPM make of the packages here, as far as it can be seen without a Mac.
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

    private func swift(_ arguments: String..., environment: [String] = []) async throws -> ProgramRun {
        let folder = try TemporaryFolder()
        return try await ProgramRun.of(
            URL(fileURLWithPath: "/usr/bin/env"),
            environment + ["swift", "package", "--scratch-path", folder.url.path] + arguments)
    }

    private func manifest(of folder: URL, environment: [String] = []) async throws -> Manifest {
        let run = try await swift("--package-path", folder.path, "dump-package", environment: environment)
        try #require(run.status == 0, "\(run.transcript)")
        return try JSONDecoder().decode(Manifest.self, from: run.data)
    }

    @Test("an app that adds the SDK resolves nothing but the SDK")
    func consumer() async throws {
        let folder = try TemporaryFolder()
        let sources = folder.url.appending(path: "Sources/App")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        try Data("import CarillonApp\n".utf8).write(to: sources.appending(path: "App.swift"))
        let sdk = Self.root.appending(path: "SDK").path
        let text = """
            // swift-tools-version:6.2
            \("import PackageDescription")
            let package = Package(
                name: "App", platforms: [.iOS(.v18)],
                dependencies: [.package(name: "carillon-sdk", path: "\(sdk)")],
                targets: [.target(name: "App", dependencies: [.product(name: "CarillonApp", package: "carillon-sdk")])])
            """
        try Data(text.utf8).write(to: folder.url.appending(path: "Package.swift"))
        let run = try await swift("--package-path", folder.url.path, "show-dependencies", "--format", "flatlist")
        #expect(run.status == 0, "\(run.transcript)")
        #expect(run.lines == ["sdk"])
        #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "Package.resolved").path))
    }

    @Test("the SDK's package has what its documentation names, and depends on nothing")
    func sdk() async throws {
        let manifest = try await manifest(of: Self.root.appending(path: "SDK"))
        let products = manifest.products.map(\.name)
        #expect(
            products == [
                "CarillonApp", "CarillonExtension", "CarillonBanner", "CarillonCore", "CarillonMessaging", "Chime",
            ])
        #expect(manifest.dependencies.isEmpty)
        let page = try String(contentsOf: Self.root.appending(path: "docs/xcode.md"), encoding: .utf8)
        let named = Set(page.matches(of: /-scheme (\w+)/).map { String($0.1) }).subtracting(["Ferry"])
        #expect(named.count >= 4 && named.isSubset(of: products), "schemes are products: \(named)")
    }

    @Test(
        "a service extension links neither UIKit nor the banner nor the app's side, and an app no banner unless it asks"
    )
    func linked() async throws {
        let manifest = try await manifest(of: Self.root.appending(path: "SDK"))
        #expect(manifest.linked(by: "CarillonExtension") == ["CarillonExtension", "CarillonMessaging", "CarillonCore"])
        #expect(manifest.linked(by: "CarillonApp") == ["CarillonApp", "CarillonMessaging", "CarillonCore"])
        #expect(manifest.linked(by: "CarillonBanner").contains("CarillonBanner"))
        var imported: Set<String> = []
        for target in manifest.linked(by: "CarillonExtension") {
            let folder = Self.root.appending(path: "SDK/Sources/\(target)").resolvingSymlinksInPath()
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
                $0.hasSuffix(".swift")
            }
            #expect(!files.isEmpty)
            for file in files {
                let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
                imported.formUnion(text.matches(of: /\bimport (\w+)/).map { String($0.1) })
            }
        }
        let allowed: Set<String> = [
            "CarillonCore", "CarillonMessaging", "Darwin", "Dispatch", "Foundation", "FoundationNetworking", "Glibc",
            "Synchronization",
            "UserNotifications", "os",
        ]
        #expect(imported.subtracting(allowed).isEmpty, "an extension has 24 MB: \(imported.subtracting(allowed))")
        #expect(imported.contains("UserNotifications"))
    }

    @Test("on a Mac the package has nothing that needs UIKit or a simulated phone")
    func onMac() async throws {
        let apple = try await manifest(of: Self.root, environment: ["CARILLON_PLATFORM=apple"])
        #expect(apple.products.map(\.name) == ["CarillonAPNs", "CarillonSimulator"])
        let linux = try await manifest(of: Self.root)
        let gone = Set(linux.targets.map(\.name)).subtracting(apple.targets.map(\.name))
        #expect(
            gone.isSuperset(of: ["UIKit", "UserNotifications", "CarillonApp", "CarillonDevice", "CarillonAppTests"]))
        #expect(linux.products.map(\.name).contains("CarillonDevice"))
    }

    @Test("the program carillon has no phone, no UIKit and no example app in it, and a Mac can build it")
    func program() async throws {
        let apple = try await manifest(of: Self.root, environment: ["CARILLON_PLATFORM=apple"])
        let linux = try await manifest(of: Self.root)
        let parts = linux.linked(from: ["carillon"])
        #expect(
            parts == [
                "CPostgreSQL", "CarillonAPNs", "CarillonCore", "CarillonExplain", "CarillonServer",
                "CarillonSimulator", "CommandSupport", "carillon",
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
