import Foundation
@_spi(Simulation) import UIKit

extension NSUserActivity {
    /// The interaction for which the system opens the app, such as a call from the list of recent calls.
    public var interaction: INInteraction? { interactionObject as? INInteraction }

    /// Makes the activity with which the system hands an intent to an app.
    @_spi(Simulation) public convenience init(interaction: INInteraction) {
        self.init(activityType: "\(type(of: interaction.intent))")
        interactionObject = interaction
    }
}
