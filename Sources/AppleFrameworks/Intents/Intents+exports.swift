// Apple's Intents re-exports Foundation.
@_exported import Foundation
