// Apple's PushKit re-exports Foundation.
@_exported import Foundation
