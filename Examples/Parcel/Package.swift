// swift-tools-version:6.2
import PackageDescription

// One manifest for both platforms. On Linux, UIKit and UserNotifications come with the simulated phone, and the tests run there.
#if os(Linux)
    let phone: [Target.Dependency] = [.product(name: "CarillonDevice", package: "carillon")]
    let testPackages: [Package.Dependency] = [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2")
    ]
    let tests: [Target] = [
        .testTarget(
            name: "ParcelTests",
            dependencies: [
                "Parcel", "ParcelService", .product(name: "Crypto", package: "swift-crypto"),
            ] + phone)
    ]
#else
    let phone: [Target.Dependency] = []
    let testPackages: [Package.Dependency] = []
    let tests: [Target] = []
#endif

let package = Package(
    name: "Parcel",
    platforms: [.iOS(.v16)],
    products: [
        .library(name: "Parcel", targets: ["Parcel"]),
        .library(name: "ParcelService", targets: ["ParcelService"]),
    ],
    dependencies: [
        // In your own package: .package(url: "https://…/carillon", from: "0.1.0")
        .package(name: "carillon", path: "../..")
    ] + testPackages,
    targets: [
        .target(
            name: "Parcel",
            dependencies: [
                .product(name: "CarillonApp", package: "carillon"),
                .product(name: "CarillonBanner", package: "carillon"),
            ] + phone),
        // Apart from the app, because an extension has only 24 MB of memory.
        .target(
            name: "ParcelService", dependencies: [.product(name: "CarillonExtension", package: "carillon")] + phone),
    ] + tests
)
