// Apple's ActivityKit re-exports Foundation.
@_exported import Foundation
