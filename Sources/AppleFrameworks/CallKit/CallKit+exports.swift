// Apple's CallKit re-exports Foundation.
@_exported import Foundation
