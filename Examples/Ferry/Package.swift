// swift-tools-version:6.2
import PackageDescription

// The push handling of an app, as a package of its own: the app's Xcode project adds it, and so does `swift test` on
// Linux, where UIKit and UserNotifications come with the simulated phone.
#if os(Linux)
    // In your own package: .package(url: "https://…/carillon", from: "0.1.0")
    let packages: [Package.Dependency] = [.package(name: "carillon", path: "../..")]
    let phone: [Target.Dependency] = [.product(name: "CarillonDevice", package: "carillon")]
    let tests: [Target] = [.testTarget(name: "FerryTests", dependencies: ["Ferry"])]
#else
    // Apple's platforms have Apple's modules. The product would not be there: `.when(platforms:)` does not help.
    let packages: [Package.Dependency] = []
    let phone: [Target.Dependency] = []
    let tests: [Target] = []
#endif

let package = Package(
    name: "Ferry",
    platforms: [.iOS(.v18)],
    products: [.library(name: "Ferry", targets: ["Ferry"])],
    dependencies: packages,
    targets: [.target(name: "Ferry", dependencies: phone)] + tests
)
