import Foundation
@_spi(Simulation) import UIKit

extension NSUserActivity {
    /// What the system wants of the app, where that is why it is opened: a call out of the list of recent ones.
    public var interaction: INInteraction? { interactionObject as? INInteraction }

    /// An activity as the system hands it to an app for an intent.
    @_spi(Simulation) public convenience init(interaction: INInteraction) {
        self.init(activityType: "\(type(of: interaction.intent))")
        interactionObject = interaction
    }
}
