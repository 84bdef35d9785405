// swift-tools-version:6.2
import PackageDescription

/// Whether our own modules stand in for Apple's. `CARILLON_PLATFORM=apple` shows on Linux what a Mac makes of this file.
#if os(Linux)
    let isLinux = Context.environment["CARILLON_PLATFORM"] != "apple"
#else
    let isLinux = false
#endif

/// Every target is compiled in Swift 6 mode, with existentials spelled out and imports explicit.
var strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// Warnings are errors where this package is built for itself: the Makefile says so. Xcode and SwiftPM silence warnings in
// what an app depends on, and the compiler refuses to be told both.
if Context.environment["CARILLON_STRICT"] != nil {
    strict += [
        .treatAllWarnings(as: .error),
        // Apple deprecates what still has no successor, such as hiding the badge without emptying the list.
        .treatWarning("DeprecatedDeclaration", as: .warning),
    ]
}

/// An app of five years ago, for the phone's tests: not ours to be strict with.
let swift5: [SwiftSetting] = [.swiftLanguageMode(.v5)]

/// Lets files import what has no module on Linux; a target that imports one of them needs it too: docs/test-on-linux.md.
let appleModules = [
    "-Xcc", "-fmodule-map-file=\(Context.packageDirectory)/Sources/AppleFrameworks/AppleNames/AppleNames.modulemap",
]
/// Lets files find what is in these, and in Apple's Foundation, without naming where it is here.
let appleNames = ["-Xfrontend", "-import-module", "-Xfrontend", "AppleNames"]

// The targets under Apple's own module names exist only where Apple's do not, and so does what is built on them: there is
// nothing to simulate with on a Mac. An app gets the SDK from SDK/Package.swift, which has the same sources.
let linuxProducts: [Product] = [
    .library(name: "CarillonApp", targets: ["CarillonApp"]),
    .library(name: "CarillonBanner", targets: ["CarillonBanner"]),
    .library(name: "CarillonExtension", targets: ["CarillonExtension"]),
    .library(name: "CarillonMessaging", targets: ["CarillonMessaging"]),
    .library(name: "CarillonCore", targets: ["CarillonCore"]),
    .library(
        name: "CarillonDevice",
        targets: [
            "AVFAudio", "AVFoundation", "AudioToolbox", "BackgroundTasks", "CallKit", "CarillonDevice",
            "CarillonExplain", "CoreLocation", "Intents", "MobileCoreServices", "OSLog",
            "PushKit", "SafariServices", "UIKit", "UniformTypeIdentifiers", "UserNotifications",
            "UserNotificationsUI",
        ]),
    // For apps whose windows SwiftUI makes; others do not find a module of the name.
    .library(name: "SwiftUI", targets: ["SwiftUI"]),
    // For targets of apps that import `os`, CryptoKit or CommonCrypto: another that needs swift-crypto.
    .library(name: "AppleNames", targets: ["AppleNames"]),
    .executable(name: "carillon", targets: ["carillon"]),
    .executable(name: "carillon-phones", targets: ["CarillonPhones"]),
]
let linuxTargets: [Target] = [
    .target(
        name: "UserNotifications", dependencies: ["CoreLocation", "_SystemFoundation"],
        path: "Sources/AppleFrameworks/UserNotifications", swiftSettings: strict),
    .target(name: "CoreLocation", path: "Sources/AppleFrameworks/CoreLocation", swiftSettings: strict),
    .target(
        name: "Intents", dependencies: ["UIKit", "UserNotifications"], path: "Sources/AppleFrameworks/Intents",
        swiftSettings: strict),
    .target(
        name: "AudioToolbox", dependencies: ["UIKit", "UserNotifications"],
        path: "Sources/AppleFrameworks/AudioToolbox",
        swiftSettings: strict),
    .target(
        name: "BackgroundTasks", dependencies: ["UserNotifications"],
        path: "Sources/AppleFrameworks/BackgroundTasks", swiftSettings: strict),
    .target(name: "AVFAudio", path: "Sources/AppleFrameworks/AVFAudio", swiftSettings: strict),
    .target(
        name: "AVFoundation", dependencies: ["AVFAudio"], path: "Sources/AppleFrameworks/AVFoundation",
        swiftSettings: strict),
    .target(
        name: "CallKit", dependencies: ["AVFAudio", "UserNotifications"], path: "Sources/AppleFrameworks/CallKit",
        swiftSettings: strict),
    .target(
        name: "PushKit", dependencies: ["UserNotifications"], path: "Sources/AppleFrameworks/PushKit",
        swiftSettings: strict),
    .target(
        name: "MobileCoreServices", path: "Sources/AppleFrameworks/MobileCoreServices", swiftSettings: strict),
    // There is none of the name `os`, nor CommonCrypto: other packages take them for a sign of Apple's platforms.
    .target(name: "OSLog", path: "Sources/AppleFrameworks/OSLog", swiftSettings: strict),
    .target(
        name: "AppleNames",
        dependencies: [
            "MobileCoreServices", "OSLog", "UserNotifications", .product(name: "Crypto", package: "swift-crypto"),
            .product(name: "CryptoExtras", package: "swift-crypto"),
        ],
        path: "Sources/AppleFrameworks/AppleNames", exclude: ["AppleNames.modulemap"], swiftSettings: strict),
    .target(
        name: "UniformTypeIdentifiers", path: "Sources/AppleFrameworks/UniformTypeIdentifiers", swiftSettings: strict),
    .target(
        name: "_SystemFoundation", path: "Sources/AppleFrameworks/_SystemFoundation", swiftSettings: strict),
    .target(
        name: "UIKit", dependencies: ["UserNotifications", "_Testing_UIKit"],
        path: "Sources/AppleFrameworks/UIKit", swiftSettings: strict),
    .target(
        name: "SafariServices", dependencies: ["UIKit", "UserNotifications"],
        path: "Sources/AppleFrameworks/SafariServices", swiftSettings: strict),
    .target(
        name: "SwiftUI", dependencies: ["UIKit", "UserNotifications"], path: "Sources/AppleFrameworks/SwiftUI",
        swiftSettings: strict),
    .target(
        name: "UserNotificationsUI", dependencies: ["UIKit", "UserNotifications"],
        path: "Sources/AppleFrameworks/UserNotificationsUI", swiftSettings: strict),
    .target(name: "_Testing_UIKit", path: "Sources/AppleFrameworks/_Testing_UIKit", swiftSettings: strict),
    .target(
        name: "CarillonMessaging", dependencies: ["CarillonCore", "UserNotifications"],
        exclude: ["PrivacyInfo.xcprivacy"], swiftSettings: strict),
    .target(
        name: "CarillonExtension", dependencies: ["CarillonCore", "CarillonMessaging", "UserNotifications"],
        swiftSettings: strict),
    .target(
        name: "CarillonApp", dependencies: ["CarillonCore", "CarillonMessaging", "UIKit", "UserNotifications"],
        swiftSettings: strict),
    .target(
        name: "CarillonBanner", dependencies: ["CarillonApp", "CarillonCore", "CarillonMessaging", "UIKit"],
        swiftSettings: strict),
    .target(
        name: "Chime",
        dependencies: [
            "CarillonApp", "CarillonBanner", "CarillonCore", "CarillonExtension", "CarillonMessaging", "SafariServices",
            "UIKit", "UserNotifications",
        ],
        path: "Examples/Chime/Chime", swiftSettings: strict),
    .target(
        name: "CarillonDevice",
        dependencies: [
            "BackgroundTasks", "CallKit", "CarillonCore", "CarillonExplain", "CoreLocation", "PushKit", "UIKit",
            "UserNotifications", "UserNotificationsUI", "_SystemFoundation",
        ],
        swiftSettings: strict),
    .executableTarget(
        name: "CarillonPhones",
        dependencies: [
            "Articles", "CarillonAPNs", "CarillonApp", "CarillonCore", "CarillonDevice", "CarillonExplain",
            "CarillonServer", "CarillonSimulator", "Chime", "CommandSupport", "UIKit", "UserNotifications",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        ],
        // In the binary, as the service's own page is.
        resources: [.embedInCode("LocalStack/Page/Presets"), .embedInCode("LocalStack/Page/Web")],
        swiftSettings: strict),
    .target(
        name: "Articles", dependencies: ["CallKit", "PushKit", "SafariServices", "UIKit", "UserNotifications"],
        path: "Examples/Articles", swiftSettings: swift5),
    // Apps for the phone's tests, as people write them.
    .executableTarget(
        name: "Bulletin", dependencies: ["SafariServices", "UIKit", "UserNotifications"],
        path: "Tests/Apps/Bulletin", swiftSettings: swift5),
    .target(
        name: "Swift4App", dependencies: ["UIKit", "UserNotifications"], path: "Tests/Apps/Swift4App",
        swiftSettings: [.swiftLanguageMode(.v4)]),
    .executableTarget(
        name: "Courier", dependencies: ["UIKit", "UserNotifications"], path: "Tests/Apps/Courier",
        swiftSettings: strict),
    .target(
        name: "CourierService",
        dependencies: ["UserNotifications", .product(name: "Crypto", package: "swift-crypto")],
        path: "Tests/Apps/CourierService", swiftSettings: strict),
    .target(
        name: "Unchanged", dependencies: ["AppleNames", "UserNotifications"], path: "Tests/Apps/Unchanged",
        swiftSettings: swift5 + [.unsafeFlags(appleModules + appleNames)]),
    .executableTarget(
        name: "Ticker", dependencies: ["UIKit"], path: "Tests/Apps/Ticker", swiftSettings: strict),
    .executableTarget(
        name: "Harbour", dependencies: ["SwiftUI", "UIKit", "UserNotifications"], path: "Tests/Apps/Harbour",
        swiftSettings: swift5),
    .testTarget(
        name: "CarillonDeviceTests",
        dependencies: [
            "AppleNames", "Articles", "AVFAudio", "AudioToolbox", "BackgroundTasks", "Bulletin", "CallKit",
            "CarillonCore", "CarillonDevice", "CarillonExplain",
            "CoreLocation",
            "Courier", "CourierService", "Harbour", "Intents", "MobileCoreServices", "OSLog", "PushKit",
            "SafariServices",
            "SwiftUI", "Ticker",
            "UIKit", "Unchanged",
            "UniformTypeIdentifiers", "UserNotifications", "UserNotificationsUI", "TestSupport", "Swift4App",
            .product(name: "Crypto", package: "swift-crypto"),
        ],
        swiftSettings: strict + [.unsafeFlags(appleModules)]),
    // They play app, phone and the real service together, without a socket.
    .testTarget(
        name: "CarillonAppTests",
        dependencies: [
            "CarillonAPNs", "CarillonApp", "CarillonBanner", "CarillonCore", "CarillonDevice", "CarillonExtension",
            "CarillonMessaging", "CarillonServer", "Chime", "TestSupport", "UIKit", "UserNotifications",
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOEmbedded", package: "swift-nio"),
        ],
        swiftSettings: strict),
    .testTarget(
        name: "CarillonPhonesTests",
        dependencies: [
            "CarillonAPNs", "CarillonCore", "CarillonDevice", "CarillonExplain", "CarillonPhones", "CarillonServer",
            "CarillonSimulator", "TestSupport", "UIKit", "UserNotifications",
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "NIOCore", package: "swift-nio"),
        ],
        swiftSettings: strict),
    .testTarget(
        name: "RoundTripTests",
        dependencies: [
            "Articles", "Bulletin", "CallKit", "carillon", "CarillonAPNs", "CarillonApp", "CarillonCore",
            "CarillonDevice", "CarillonPhones", "CarillonServer", "CarillonSimulator", "Chime", "CommandSupport",
            "PushKit", "SafariServices", "TestSupport", "UIKit", "UserNotifications",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
            .product(name: "GRDB", package: "GRDB.swift"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        ],
        swiftSettings: strict),
]

let package = Package(
    name: "carillon",
    platforms: [.macOS(.v15), .iOS(.v16)],
    products: [
        .library(name: "CarillonAPNs", targets: ["CarillonAPNs", "CarillonCore"]),
        .library(name: "CarillonSimulator", targets: ["CarillonSimulator"]),
    ] + (isLinux ? linuxProducts : []),
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(name: "CarillonCore", swiftSettings: strict),
        .target(
            name: "CarillonAPNs",
            dependencies: [
                "CarillonCore",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOExtras", package: "swift-nio-extras"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: strict),
        .target(
            name: "CarillonSimulator",
            dependencies: [
                "CarillonCore",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: strict),
        .target(
            name: "CarillonServer",
            dependencies: [
                "CarillonCore", "CarillonAPNs", "CPostgreSQL",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            // In the binary, so that it runs from wherever it is copied to.
            resources: [.embedInCode("Console/Web")],
            swiftSettings: strict),
        // What APNs checks in a payload, and what a phone does with it.
        .target(name: "CarillonExplain", dependencies: ["CarillonCore"], swiftSettings: strict),
        // What both programs need: output, options, folders.
        .target(
            name: "CommandSupport",
            dependencies: [
                "CarillonAPNs", "CarillonCore", "CarillonServer", "CarillonSimulator",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
        // On a Mac it is no declared product, so that an app that depends on this package resolves nothing for it;
        // SwiftPM makes one of it where this package is the root.
        .executableTarget(
            name: "carillon",
            dependencies: [
                "CarillonAPNs", "CarillonCore", "CarillonExplain", "CarillonServer", "CarillonSimulator",
                "CommandSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
        // PostgreSQL's own client library, as the system has it.
        .systemLibrary(
            name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev", "pkg-config"]), .brew(["libpq"])]),
        // What tests of several targets need: programs, folders, servers.
        .target(name: "TestSupport", dependencies: ["CarillonCore"], path: "Tests/Support", swiftSettings: strict),
        .testTarget(name: "CarillonCoreTests", dependencies: ["CarillonCore"], swiftSettings: strict),
        .testTarget(
            name: "CarillonAPNsTests",
            dependencies: [
                "CarillonCore", "CarillonAPNs", "CarillonSimulator", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CarillonSimulatorTests",
            dependencies: [
                "CarillonCore", "CarillonSimulator", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CarillonServerTests",
            dependencies: [
                "CarillonCore", "CarillonAPNs", "CarillonServer", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "carillon", "CarillonAPNs", "CarillonCore", "CarillonServer", "CarillonSimulator", "CommandSupport",
                "TestSupport", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        // What is measured where only the client's own memory counts.
        .executableTarget(
            name: "Sender",
            dependencies: ["CarillonAPNs", "CarillonCore", .product(name: "Logging", package: "swift-log")],
            path: "Benchmarks/client/Sender", swiftSettings: strict),
        .testTarget(name: "TidyTests", swiftSettings: strict),
    ] + (isLinux ? linuxTargets : [])
)

// Only `make fuzz` sees it, in a build folder of its own: everything it builds is instrumented.
if Context.environment["CARILLON_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "CarillonFuzz",
            dependencies: [
                "CarillonAPNs", "CarillonApp", "CarillonCore", "CarillonDevice", "CarillonExplain", "CarillonMessaging",
                "CarillonServer", "CarillonSimulator",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
            ],
            path: "Fuzz", exclude: ["Seeds"], swiftSettings: strict))
}
