import CallKit
import PushKit
import UIKit

/// An app for calls. Each VoIP push rings, except one that asks the app not to report it: iOS then ends the app.
final class CallApp: UIResponder, UIApplicationDelegate, PKPushRegistryDelegate, CXProviderDelegate {
    private let registry = PKPushRegistry(queue: .main)
    private let provider = CXProvider(configuration: CXProviderConfiguration())

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        provider.setDelegate(self, queue: nil)
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
        return true
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType
    ) {}

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        let call = payload.dictionaryPayload
        guard call["report"] as? Bool ?? true else { return completion() }
        let update = CXCallUpdate()
        update.localizedCallerName = call["caller"] as? String
        update.hasVideo = call["video"] as? Bool ?? false
        provider.reportNewIncomingCall(with: UUID(), update: update) { _ in completion() }
    }

    func providerDidReset(_ provider: CXProvider) {}
    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) { action.fulfill() }
    func provider(_ provider: CXProvider, perform action: CXEndCallAction) { action.fulfill() }
}
