// swift-tools-version:6.2
import PackageDescription

// The push handling of an app, as a package of its own: the app's Xcode project adds it, and so does `swift test` on
// Linux, where UIKit and UserNotifications come with the simulated phone.
let package = Package(
    name: "Ferry",
    platforms: [.iOS(.v17)],
    products: [.library(name: "Ferry", targets: ["Ferry"])],
    dependencies: [
        // In your own package: .package(url: "https://…/carillon", from: "0.1.0")
        .package(name: "carillon", path: "../..")
    ],
    targets: [
        .target(
            name: "Ferry",
            dependencies: [
                .product(name: "CarillonDevice", package: "carillon", condition: .when(platforms: [.linux]))
            ]),
        .testTarget(name: "FerryTests", dependencies: ["Ferry"]),
    ]
)
