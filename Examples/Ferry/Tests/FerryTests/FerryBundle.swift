import CarillonDevice
import Ferry

/// What Info.plist and the entitlements of the app say.
let ferry = AppBundle(
    bundleID: "com.example.ferry", name: "Ferry", environment: .sandbox, backgroundModes: [.remoteNotification],
    usesScenes: true, makeDelegate: { FerryAppDelegate() }, makeServiceExtension: { NotificationService() })
