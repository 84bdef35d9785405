// swift-tools-version:6.2
import PackageDescription

/// Who looks at this package. `CARILLON_PLATFORM` shows another view than the machine's own.
enum View: String {
    /// A Linux machine: everything, with modules of our own under Apple's names.
    case linux
    /// Xcode, and whoever adds the package on a Mac: the SDK, and with the trait `Service` the client and the simulator.
    case apple
    /// `make` on a Mac: all that builds for macOS, which has no UIKit.
    case mac
}
#if os(Linux)
    let view = View(rawValue: Context.environment["CARILLON_PLATFORM"] ?? "") ?? .linux
#else
    let view = View(rawValue: Context.environment["CARILLON_PLATFORM"] ?? "") ?? .apple
#endif

/// What a target depends on: targets of this package, and products of others. In Apple's view only who asks for the trait
/// `Service` resolves the others.
func needs(_ targets: [String], _ products: KeyValuePairs<String, [String]>) -> [Target.Dependency] {
    let condition: TargetDependencyCondition? = view == .apple ? .when(traits: ["Service"]) : nil
    return targets.map { .byName(name: $0) }
        + products.flatMap { package, names in
            names.map { .product(name: $0, package: package, condition: condition) }
        }
}

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

/// Lets files import modules that Linux lacks; a target that imports one of them needs it too: docs/test-an-existing-app.md.
let appleModules = [
    "-Xcc", "-fmodule-map-file=\(Context.packageDirectory)/Sources/AppleFrameworks/AppleNames/AppleNames.modulemap",
]
/// Lets files find what is in these, and in Apple's Foundation, without naming where it is here.
let appleNames = ["-Xfrontend", "-import-module", "-Xfrontend", "AppleNames"]

/// Apple's own modules have no target here where Apple's are there.
func apple(_ names: String...) -> [String] { view == .linux ? names : [] }

/// The SDK. An app that adds this package by its address gets these products, and resolves no other package for them.
let sdkProducts: [Product] = [
    .library(name: "CarillonApp", targets: ["CarillonApp"]),
    // For a notification service extension, which has 24 MB: without UIKit, without the app's side, without the banner.
    .library(name: "CarillonExtension", targets: ["CarillonExtension"]),
    // Banners inside the app, for an app that wants them.
    .library(name: "CarillonBanner", targets: ["CarillonBanner"]),
    // The types of the SDK's API, for an app that wants their members too.
    .library(name: "CarillonCore", targets: ["CarillonCore", "CarillonUserInfo"]),
    .library(name: "CarillonMessaging", targets: ["CarillonMessaging"]),
]
let sdkTargets: [Target] = [
    // With the privacy manifest, because both the app and the extension link it.
    .target(
        name: "CarillonMessaging",
        dependencies: needs(["CarillonCore", "CarillonUserInfo"] + apple("UserNotifications"), [:]),
        exclude: view == .linux ? ["PrivacyInfo.xcprivacy"] : [],
        resources: view == .linux ? [] : [.process("PrivacyInfo.xcprivacy")], swiftSettings: strict),
    .target(
        name: "CarillonExtension",
        dependencies: needs(
            ["CarillonCore", "CarillonMessaging", "CarillonUserInfo"] + apple("UserNotifications"), [:]),
        swiftSettings: strict),
]
let sdkTargetsWithUIKit: [Target] = [
    .target(
        name: "CarillonApp",
        dependencies: needs(
            ["CarillonCore", "CarillonMessaging", "CarillonUserInfo"]
                + apple("ActivityKit", "UIKit", "UserNotifications", "WidgetKit"),
            [:]),
        swiftSettings: strict),
    .target(
        name: "CarillonBanner",
        dependencies: needs(["CarillonApp", "CarillonCore", "CarillonMessaging"] + apple("UIKit"), [:]),
        swiftSettings: strict),
]

/// The simulated phone and the programs. There is nothing to simulate with where Apple's own modules are.
let linuxProducts: [Product] = [
    .library(
        name: "CarillonDevice",
        targets: [
            "AVFAudio", "AVFoundation", "ActivityKit", "AudioToolbox", "BackgroundTasks", "CallKit", "CarillonDevice",
            "CarillonExplain", "CoreLocation", "Intents", "MobileCoreServices", "OSLog",
            "PushKit", "SafariServices", "UIKit", "UniformTypeIdentifiers", "UserNotifications",
            "UserNotificationsUI", "WidgetKit",
        ]),
    // For apps whose windows SwiftUI makes; others do not find a module of the name.
    .library(name: "SwiftUI", targets: ["SwiftUI"]),
    // For targets of apps that import `os`, CryptoKit or CommonCrypto: another that needs swift-crypto.
    .library(name: "AppleNames", targets: ["AppleNames"]),
    .executable(name: "carillon", targets: ["carillon"]),
    .executable(name: "carillon-phones", targets: ["CarillonPhones"]),
    .executable(name: "carillon-apns-simulator", targets: ["carillon-apns-simulator"]),
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
    .target(
        name: "ActivityKit", dependencies: ["UserNotifications"], path: "Sources/AppleFrameworks/ActivityKit",
        swiftSettings: strict),
    .target(
        name: "WidgetKit", dependencies: ["UserNotifications"], path: "Sources/AppleFrameworks/WidgetKit",
        swiftSettings: strict),
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
        dependencies: needs(
            ["MobileCoreServices", "OSLog", "UserNotifications"],
            [
                "swift-crypto": ["Crypto", "CryptoExtras"]
            ]),
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
        name: "Chime",
        dependencies: [
            "ActivityKit", "CarillonApp", "CarillonBanner", "CarillonCore", "CarillonExtension", "SafariServices",
            "UIKit", "UserNotifications",
        ],
        path: "Examples/Chime/Chime", swiftSettings: strict),
    .target(
        name: "Parcel", dependencies: ["CarillonApp", "CarillonBanner", "UIKit", "UserNotifications"],
        path: "Examples/Parcel/Sources/Parcel", swiftSettings: strict),
    .target(
        name: "ParcelService", dependencies: ["CarillonExtension", "UserNotifications"],
        path: "Examples/Parcel/Sources/ParcelService", swiftSettings: strict),
    .target(
        name: "CarillonDevice",
        dependencies: [
            "ActivityKit", "BackgroundTasks", "CallKit", "CarillonCore", "CarillonExplain", "CarillonUserInfo",
            "CoreLocation", "PushKit", "UIKit", "UserNotifications", "UserNotificationsUI", "WidgetKit",
            "_SystemFoundation",
        ],
        swiftSettings: strict),
    .executableTarget(
        name: "CarillonPhones",
        dependencies: needs(
            [
                "Articles", "CarillonAPNs", "CarillonApp", "CarillonCore", "CarillonDevice", "CarillonExplain",
                "CarillonMessaging", "CarillonPage", "CarillonServer", "CarillonSimulator", "Chime", "CommandSupport",
                "ServiceSupport",
                "UIKit",
                "UserNotifications",
            ],
            [
                "swift-argument-parser": ["ArgumentParser"],
                "hummingbird": ["Hummingbird"],
                "swift-http-types": ["HTTPTypes"],
                "swift-log": ["Logging"],
                "swift-nio": ["NIOCore"],
                "swift-service-lifecycle": ["ServiceLifecycle", "UnixSignals"],
            ]),
        // In the binary, as the service's own page is.
        resources: [
            .embedInCode("LocalStack/Page/Guides"), .embedInCode("LocalStack/Page/Presets"),
            .embedInCode("LocalStack/Page/Web"),
        ],
        swiftSettings: strict),
    .target(
        name: "Articles",
        dependencies: ["ActivityKit", "CallKit", "PushKit", "SafariServices", "UIKit", "UserNotifications"],
        path: "Examples/Articles", swiftSettings: swift5),
    .target(name: "CarillonProve", swiftSettings: strict),
    // The SDK's decisions on a phone and with a service that are as simple as they can be, for the search of all histories.
    .target(
        name: "SDKWorld", dependencies: ["CarillonCore", "CarillonMessaging", "CarillonProve"],
        path: "Tests/Prove/SDKWorld", swiftSettings: strict),
    .executableTarget(
        name: "Prove",
        dependencies: needs(
            ["CarillonProve", "SDKWorld"],
            [
                "swift-argument-parser": ["ArgumentParser"]
            ]),
        path: "Tests/Prove/Program", swiftSettings: strict),
    .testTarget(
        name: "ProveTests", dependencies: ["CarillonProve", "SDKWorld", "TestSupport"], exclude: ["Histories"],
        swiftSettings: strict),
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
        dependencies: needs(
            ["UserNotifications"],
            [
                "swift-crypto": ["Crypto"]
            ]),
        path: "Tests/Apps/CourierService", swiftSettings: strict),
    .target(
        name: "Unchanged", dependencies: ["AppleNames", "UserNotifications", "WidgetKit"], path: "Tests/Apps/Unchanged",
        swiftSettings: swift5 + [.unsafeFlags(appleModules + appleNames)]),
    .executableTarget(
        name: "Ticker", dependencies: ["UIKit"], path: "Tests/Apps/Ticker", swiftSettings: strict),
    // Live Activities, with the calls as Apple's pages show them.
    .target(
        name: "LiveSamples", dependencies: ["ActivityKit", "UIKit"], path: "Tests/Apps/LiveSamples",
        swiftSettings: swift5),
    .executableTarget(
        name: "Harbour", dependencies: ["SwiftUI", "UIKit", "UserNotifications"], path: "Tests/Apps/Harbour",
        swiftSettings: swift5),
    .testTarget(
        name: "CarillonDeviceTests",
        dependencies: needs(
            [
                "ActivityKit", "AppleNames", "Articles", "AVFAudio", "AudioToolbox", "BackgroundTasks", "Bulletin",
                "CallKit",
                "CarillonCore", "CarillonDevice", "CarillonExplain", "CoreLocation", "Courier", "CourierService",
                "Harbour", "Intents", "LiveSamples", "MobileCoreServices", "OSLog", "PushKit", "SafariServices",
                "SwiftUI", "Ticker",
                "UIKit", "Unchanged", "UniformTypeIdentifiers", "UserNotifications", "UserNotificationsUI",
                "WidgetKit", "TestSupport", "Swift4App",
            ],
            [
                "swift-crypto": ["Crypto"]
            ]),
        swiftSettings: strict + [.unsafeFlags(appleModules)]),
    // The fuzzer's harnesses, played on their seeds.
    .testTarget(
        name: "FuzzTests",
        dependencies: needs(
            [
                "CarillonAPNs", "CarillonApp", "CarillonCore", "CarillonDevice", "CarillonExplain", "CarillonMessaging",
                "CarillonServer", "CarillonSimulator", "CarillonUserInfo",
            ],
            [
                "swift-crypto": ["Crypto"],
                "swift-nio": ["NIOCore"],
                "swift-nio-http2": ["NIOHPACK"],
            ]),
        path: "Fuzz", exclude: ["Seeds", "main.swift"], swiftSettings: strict),
    // They play app, phone and the real service together, without a socket.
    .testTarget(
        name: "CarillonAppTests",
        dependencies: needs(
            [
                "ActivityKit", "CarillonAPNs", "CarillonApp", "CarillonBanner", "CarillonCore", "CarillonDevice",
                "CarillonExtension",
                "CarillonMessaging", "CarillonServer", "CarillonUserInfo", "Chime", "TestSupport", "UIKit",
                "UserNotifications", "WidgetKit",
            ],
            [
                "swift-http-types": ["HTTPTypes"],
                "hummingbird": ["Hummingbird"],
                "swift-log": ["Logging"],
                "swift-nio": ["NIOCore", "NIOEmbedded"],
            ]),
        swiftSettings: strict),
    .testTarget(
        name: "CarillonPhonesTests",
        dependencies: needs(
            [
                "CarillonAPNs", "CarillonCore", "CarillonDevice", "CarillonExplain", "CarillonPage", "CarillonPhones",
                "CarillonServer",
                "CarillonSimulator", "TestSupport", "UIKit", "UserNotifications",
            ],
            [
                "swift-http-types": ["HTTPTypes"],
                "swift-log": ["Logging"],
                "swift-nio": ["NIOCore"],
            ]),
        swiftSettings: strict),
    // As in the example's own package, which is not so strict about imports.
    .testTarget(
        name: "ParcelTests",
        dependencies: needs(
            ["CarillonDevice", "Parcel", "ParcelService"],
            [
                "swift-crypto": ["Crypto"]
            ]),
        path: "Examples/Parcel/Tests/ParcelTests", swiftSettings: [.swiftLanguageMode(.v6)]),
    .testTarget(
        name: "RoundTripTests",
        dependencies: needs(
            [
                "ActivityKit", "Articles", "Bulletin", "CallKit", "carillon", "CarillonAPNs", "CarillonApp",
                "CarillonCore",
                "CarillonDevice", "CarillonExtension", "CarillonPhones", "CarillonServer", "CarillonSimulator", "Chime",
                "CommandSupport",
                "PushKit", "SafariServices", "ServiceSupport", "TestSupport", "UIKit", "UserNotifications",
                "WidgetKit",
            ],
            [
                "swift-argument-parser": ["ArgumentParser"],
                "GRDB.swift": ["GRDB"],
                "swift-log": ["Logging"],
                "swift-nio": ["NIOCore"],
                "swift-service-lifecycle": ["ServiceLifecycle"],
            ]),
        exclude: ["help.txt"], swiftSettings: strict),
]

/// Of meaning in Apple's view only; the others know it, so that who depends on this package writes one line for all.
let serviceTrait = "The APNs client, the simulator and the program carillon, with the packages that they need."

let package = Package(
    name: "carillon",
    platforms: [.macOS(.v15), .iOS(.v16)],
    products: [
        .library(name: "CarillonAPNs", targets: ["CarillonAPNs", "CarillonCore"]),
        .library(name: "CarillonSimulator", targets: ["CarillonSimulator"]),
    ] + (view == .mac ? [] : sdkProducts) + (view == .linux ? linuxProducts : []),
    traits: [.trait(name: "Service", description: serviceTrait)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(name: "CarillonCore", swiftSettings: strict),
        // Apart from CarillonCore, because NSNumber links all of Foundation, with ICU's tables, into a program.
        .target(name: "CarillonUserInfo", dependencies: ["CarillonCore"], swiftSettings: strict),
        .target(
            name: "CarillonAPNs",
            dependencies: needs(
                ["CarillonCore"],
                [
                    "swift-crypto": ["Crypto", "CryptoExtras"],
                    "swift-collections": ["DequeModule"],
                    "swift-log": ["Logging"],
                    "swift-nio": ["NIOCore", "NIOPosix", "NIOTLS", "NIOHTTP1"],
                    "swift-nio-extras": ["NIOExtras"],
                    "swift-nio-http2": ["NIOHPACK"],
                    "swift-nio-ssl": ["NIOSSL"],
                    "swift-asn1": ["SwiftASN1"],
                    "swift-certificates": ["X509"],
                ]),
            swiftSettings: strict),
        // What several pages share, embedded in the binary: files, and how a browser loads them.
        .target(
            name: "CarillonPage", dependencies: needs([], ["swift-crypto": ["Crypto"]]),
            resources: [.embedInCode("Web")], swiftSettings: strict),
        .target(
            name: "CarillonSimulator",
            dependencies: needs(
                ["CarillonCore", "CarillonExplain", "CarillonPage"],
                [
                    "swift-crypto": ["Crypto"],
                    "swift-collections": ["DequeModule"],
                    "swift-log": ["Logging"],
                    "swift-nio": ["NIOCore", "NIOHTTP1", "NIOPosix", "NIOTLS"],
                    "swift-nio-http2": ["NIOHPACK", "NIOHTTP2"],
                    "swift-nio-ssl": ["NIOSSL"],
                    "swift-asn1": ["SwiftASN1"],
                    "swift-certificates": ["X509"],
                ]),
            // The inbox, in the binary too.
            resources: [.embedInCode("Inbox/Web")],
            swiftSettings: strict),
        .target(
            name: "CarillonServer",
            dependencies: needs(
                ["CarillonCore", "CarillonAPNs", "CarillonPage", "CPostgreSQL", "CZlib"],
                [
                    "swift-crypto": ["Crypto"],
                    "GRDB.swift": ["GRDB", "GRDBSQLite"],
                    "swift-http-types": ["HTTPTypes"],
                    "hummingbird": ["Hummingbird", "HummingbirdCore"],
                    "swift-log": ["Logging"],
                    "swift-metrics": ["CoreMetrics"],
                    "swift-nio": ["NIOCore", "NIOHTTP1", "NIOPosix"],
                    "swift-nio-ssl": ["NIOSSL"],
                    "swift-service-lifecycle": ["ServiceLifecycle"],
                ]),
            // In the binary, so that it runs from wherever it is copied to.
            resources: [.embedInCode("Console/Web")],
            swiftSettings: strict),
        // What APNs checks in a payload, and what a phone does with it.
        .target(name: "CarillonExplain", dependencies: ["CarillonCore"], swiftSettings: strict),
        // What all programs need: output, options, folders; and the command that runs the simulator.
        .target(
            name: "CommandSupport",
            dependencies: needs(
                ["CarillonAPNs", "CarillonCore", "CarillonSimulator"],
                [
                    "swift-argument-parser": ["ArgumentParser"],
                    "swift-crypto": ["Crypto"],
                    "swift-log": ["Logging"],
                    "swift-nio": ["NIOCore"],
                    "swift-service-lifecycle": ["ServiceLifecycle", "UnixSignals"],
                    "swift-system": ["SystemPackage"],
                ]),
            swiftSettings: strict),
        // What programs with a service need: its folder, its credentials.
        .target(
            name: "ServiceSupport",
            dependencies: needs(
                ["CarillonAPNs", "CarillonCore", "CarillonServer", "CommandSupport"],
                [
                    "swift-argument-parser": ["ArgumentParser"],
                    "swift-log": ["Logging"],
                    "swift-service-lifecycle": ["ServiceLifecycle"],
                ]),
            swiftSettings: strict),
        .executableTarget(
            name: "carillon-apns-simulator", dependencies: needs(["CommandSupport"], [:]), swiftSettings: strict),
        // Declared as a product on Linux only, so that an app that depends on this package resolves nothing for it.
        // SwiftPM makes a product of it where this package is the root.
        .executableTarget(
            name: "carillon",
            dependencies: needs(
                [
                    "CarillonAPNs", "CarillonCore", "CarillonExplain", "CarillonServer", "CarillonSimulator",
                    "CommandSupport", "ServiceSupport",
                ],
                [
                    "swift-argument-parser": ["ArgumentParser"],
                    "swift-crypto": ["Crypto"],
                    "swift-log": ["Logging"],
                    "swift-nio": ["NIOCore", "NIOPosix"],
                    "swift-service-lifecycle": ["ServiceLifecycle", "UnixSignals"],
                    "Yams": ["Yams"],
                ]),
            swiftSettings: strict),
        // PostgreSQL's own client library, as the system has it.
        .systemLibrary(
            name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev", "pkg-config"]), .brew(["libpq"])]),
        // The library that compresses the pages, as the system has it.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev", "pkg-config"])]),
        // What tests of several targets need: programs, folders, servers.
        .target(
            name: "TestSupport",
            dependencies: needs(
                ["CarillonCore"],
                [
                    "swift-crypto": ["Crypto"],
                    "swift-asn1": ["SwiftASN1"],
                    "swift-certificates": ["X509"],
                ]),
            path: "Tests/Support", swiftSettings: strict),
        .testTarget(
            name: "CarillonCoreTests", dependencies: ["CarillonCore", "CarillonUserInfo"], swiftSettings: strict),
        .testTarget(
            name: "CarillonAPNsTests",
            dependencies: needs(
                ["CarillonCore", "CarillonAPNs", "CarillonSimulator", "TestSupport"],
                [
                    "swift-crypto": ["Crypto"],
                    "swift-log": ["Logging"],
                    "swift-nio": ["NIOCore", "NIOPosix", "NIOTLS"],
                    "swift-nio-http2": ["NIOHPACK", "NIOHTTP2"],
                    "swift-nio-ssl": ["NIOSSL"],
                    "swift-asn1": ["SwiftASN1"],
                    "swift-certificates": ["X509"],
                ]),
            swiftSettings: strict),
        .testTarget(
            name: "CarillonSimulatorTests",
            dependencies: needs(
                ["CarillonCore", "CarillonPage", "CarillonSimulator", "TestSupport"],
                [
                    "swift-crypto": ["Crypto"],
                    "swift-log": ["Logging"],
                    "swift-nio": ["NIOCore", "NIOEmbedded", "NIOHTTP1"],
                    "swift-nio-http2": ["NIOHPACK", "NIOHTTP2"],
                ]),
            swiftSettings: strict),
        .testTarget(
            name: "CarillonServerTests",
            dependencies: needs(
                ["CarillonCore", "CarillonAPNs", "CarillonPage", "CarillonServer", "TestSupport"],
                [
                    "swift-crypto": ["Crypto"],
                    "GRDB.swift": ["GRDB", "GRDBSQLite"],
                    "swift-http-types": ["HTTPTypes"],
                    "hummingbird": ["Hummingbird"],
                    "swift-log": ["Logging"],
                    "swift-metrics": ["CoreMetrics"],
                    "swift-nio": ["NIOCore", "NIOPosix"],
                    "swift-nio-ssl": ["NIOSSL"],
                    "swift-service-lifecycle": ["ServiceLifecycle"],
                ]),
            swiftSettings: strict),
        .testTarget(
            name: "CommandTests",
            dependencies: needs(
                [
                    "carillon", "CarillonAPNs", "CarillonCore", "CarillonServer", "CarillonSimulator", "CommandSupport",
                    "ServiceSupport",
                    "TestSupport",
                ],
                [
                    "swift-argument-parser": ["ArgumentParser"],
                    "swift-log": ["Logging"],
                    "swift-service-lifecycle": ["ServiceLifecycle"],
                ]),
            swiftSettings: strict),
        // What is measured where only the client's own memory counts.
        .executableTarget(
            name: "Sender",
            dependencies: needs(
                ["CarillonAPNs", "CarillonCore"],
                [
                    "swift-log": ["Logging"]
                ]),
            path: "Benchmarks/client/Sender", swiftSettings: strict),
        .testTarget(name: "TidyTests", swiftSettings: strict),
    ] + sdkTargets + (view == .mac ? [] : sdkTargetsWithUIKit) + (view == .linux ? linuxTargets : [])
)

// For libFuzzer, `make fuzz` builds a program from the files of FuzzTests, in a build folder of its own, because everything it
// builds is instrumented.
if Context.environment["CARILLON_FUZZ"] != nil,
    let tests = package.targets.firstIndex(where: { $0.name == "FuzzTests" })
{
    let program = "CarillonFuzz"
    package.targets[tests] = .executableTarget(
        name: program, dependencies: package.targets[tests].dependencies, path: "Fuzz",
        exclude: ["Seeds", "SeedTests.swift"], swiftSettings: strict)
}
