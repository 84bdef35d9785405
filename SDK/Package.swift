// swift-tools-version:6.2
import PackageDescription

// The SDK alone, for apps: the same sources as in the package above, with nothing else to resolve. SwiftPM and Xcode resolve
// every dependency of a package, whichever product an app wants, and the service's are two dozen.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "carillon-sdk",
    platforms: [.iOS(.v16)],
    products: [
        .library(name: "CarillonApp", targets: ["CarillonApp"]),
        // For a notification service extension, which has 24 MB: without UIKit, without the app's side, without the banner.
        .library(name: "CarillonExtension", targets: ["CarillonExtension"]),
        // Banners inside the app, for an app that wants them.
        .library(name: "CarillonBanner", targets: ["CarillonBanner"]),
        // The names that the SDK's API speaks in, for an app that wants their members too.
        .library(name: "CarillonCore", targets: ["CarillonCore"]),
        .library(name: "CarillonMessaging", targets: ["CarillonMessaging"]),
        // The example app, for an Xcode project around it.
        .library(name: "Chime", targets: ["Chime"]),
    ],
    targets: [
        .target(name: "CarillonCore", swiftSettings: settings),
        // With the privacy manifest, because both the app and the extension link it.
        .target(
            name: "CarillonMessaging", dependencies: ["CarillonCore"], resources: [.process("PrivacyInfo.xcprivacy")],
            swiftSettings: settings),
        .target(
            name: "CarillonExtension", dependencies: ["CarillonCore", "CarillonMessaging"], swiftSettings: settings),
        .target(name: "CarillonApp", dependencies: ["CarillonCore", "CarillonMessaging"], swiftSettings: settings),
        .target(
            name: "CarillonBanner", dependencies: ["CarillonApp", "CarillonCore", "CarillonMessaging"],
            swiftSettings: settings),
        .target(
            name: "Chime",
            dependencies: ["CarillonApp", "CarillonBanner", "CarillonCore", "CarillonExtension", "CarillonMessaging"],
            swiftSettings: settings),
    ]
)
