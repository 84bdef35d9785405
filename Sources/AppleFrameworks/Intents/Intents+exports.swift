// Apple's Intents brings Foundation along.
@_exported import Foundation
