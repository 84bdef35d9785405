import CarillonCore
import CarillonDevice
import Foundation
import WidgetKit

/// Scenarios of rules about widgets and controls.
extension RuleScenario {
    static let widgets: [RuleScenario] = [
        RuleScenario(.widgetPushNeedsContentChanged) { rules in
            try await Scores.run(rules: rules) { scores in
                try await scores.add()
                try await scores.push(["aps": ["badge": 1]])
                return scores.app.widgets.map(\.reloadCount) == [1]
            }
        },
        RuleScenario(.foregroundReloadIsFree) { rules in
            var rules = rules
            rules.widgetReloadsPerDay = 1
            return try await Scores.run(rules: rules) { scores in
                try await scores.add()
                for _ in 0..<3 { _ = try await scores.inApp { WidgetCenter.shared.reloadAllTimelines() } }
                return scores.app.widgets.map(\.reloadCount) == [4]
            }
        },
        RuleScenario(.widgetTokenEndsWithLastWidget) { rules in
            try await Scores.run(rules: rules) { scores in
                let id = try await scores.add()
                try scores.app.phone.widgets.remove(id, of: scores.app.bundleID)
                return try await scores.inApp { await WidgetCenter.shared.currentPushInfo == nil } == true
            }
        },
        RuleScenario(.controlPushReloadsOne) { rules in
            try await Scores.run(rules: rules) { scores in
                try await scores.addControl()
                try await scores.addControl()
                try await scores.push(type: .controls, to: scores.app.controls.first?.token)
                return scores.app.controls.map(\.reloadCount) == [2, 1]
            }
        },
    ]
}
