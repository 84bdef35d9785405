// swift-tools-version:6.2
import PackageDescription

// The example app for an Xcode project around it, as an app of one's own would have it.
let package = Package(
    name: "Chime",
    platforms: [.iOS(.v16)],
    products: [.library(name: "Chime", targets: ["Chime"])],
    dependencies: [
        // In your own package: .package(url: "https://…/carillon", from: "0.1.0")
        .package(name: "carillon", path: "../..")
    ],
    targets: [
        .target(
            name: "Chime",
            dependencies: ["CarillonApp", "CarillonBanner", "CarillonCore", "CarillonExtension"].map {
                .product(name: $0, package: "carillon")
            },
            path: "Chime",
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
            ])
    ]
)
