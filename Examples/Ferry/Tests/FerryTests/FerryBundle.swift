import CarillonDevice
import Ferry

/// The app with its Info.plist values and entitlements.
let ferry = AppBundle(
    bundleID: "com.example.ferry", name: "Ferry", environment: .sandbox, backgroundModes: [.remoteNotification],
    usesScenes: true, makeDelegate: { FerryAppDelegate() }, makeServiceExtension: { NotificationService() })
