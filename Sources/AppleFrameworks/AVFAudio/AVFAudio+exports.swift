// Apple's AVFAudio re-exports Foundation.
@_exported import Foundation
