import Foundation
@_spi(Simulation) import UserNotifications
@_spi(Simulation) import WidgetKit

/// Handles the use of WidgetKit by an app or by one of its extensions.
extension RunningProcess: WidgetHost {
    func widgets(completion: @escaping @Sendable ([WidgetInfo]) -> Void) {
        post(
            SystemCall(name: "currentConfigurations", needsProcess: true) { system, process in
                let infos = system.apps[process.bundle.bundleID].map(system.widgets.placed.infos) ?? []
                process.reply { completion(infos) }
            })
    }

    func widgetToken(completion: @escaping @Sendable (Data?) -> Void) {
        post(
            SystemCall(name: "currentPushInfo", needsProcess: true) { system, process in
                let token = system.apps[process.bundle.bundleID].flatMap(system.widgets.placed.token)
                process.reply { completion(token) }
            })
    }

    func reloadWidgets(ofKind kind: String?) {
        post(
            SystemCall(name: "reloadTimelines", needsProcess: false) { system, process in
                system.widgets.placed.reload(kind, by: process)
            })
    }

    func controls(completion: @escaping @Sendable ([ControlInfo]) -> Void) {
        post(
            SystemCall(name: "currentControls", needsProcess: true) { system, process in
                let infos = system.apps[process.bundle.bundleID].map(system.widgets.placedControls.infos) ?? []
                process.reply { completion(infos) }
            })
    }

    func reloadControls(ofKind kind: String?) {
        post(
            SystemCall(name: "reloadControls", needsProcess: false) { system, process in
                system.widgets.placedControls.reload(kind, by: process)
            })
    }
}
