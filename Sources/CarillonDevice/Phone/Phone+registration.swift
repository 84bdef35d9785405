import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// Device tokens.
extension Phone {
    func register(_ process: AppProcess) {
        guard let app = apps[process.bundle.bundleID] else { return }
        app.isRegistered = true
        app.isWaitingForToken = true
        if isOnline { fetchToken(for: app) }
    }

    func unregister(_ bundleID: String) {
        guard let app = apps[bundleID] else { return }
        app.isRegistered = false
        app.isWaitingForToken = false
        guard let token = app.token else { return }
        app.token = nil
        tasks.begin("telling the push service that \(bundleID) has unregistered", on: self) { phone in
            await phone.link?.invalidate(token)
        }
    }

    /// The app hears of it by one of two methods, now or when it runs next.
    func fetchToken(for app: InstalledApp) {
        app.isWaitingForToken = false
        tasks.begin("the device token of \(app.bundle.bundleID)", on: self) { phone in
            let result = await phone.token(for: app)
            guard let process = app.process, phone.apps[app.bundle.bundleID] === app else { return }
            if case .success(let token) = result { app.token = token }
            ProcessScheduler.shared.run(as: process) {
                let application = process.application
                switch result {
                case .success(let token):
                    application.delegate?.application(
                        application, didRegisterForRemoteNotificationsWithDeviceToken: token)
                case .failure(let error):
                    application.delegate?.application(
                        application, didFailToRegisterForRemoteNotificationsWithError: error)
                }
            }
        }
    }

    private func token(for app: InstalledApp) async -> Result<Data, any Error> {
        guard let link else {
            if let token = app.token { return .success(token) }
            return .success(
                Data((0..<PhoneLimits.tokenBytes).map { _ in UInt8.random(in: .min ... .max, using: &random) }))
        }
        let request = TokenRequest(phone: id, topic: app.bundle.bundleID, environment: app.bundle.environment)
        do {
            return .success(try await link.deviceToken(for: request))
        } catch {
            return .failure(error)
        }
    }
}
