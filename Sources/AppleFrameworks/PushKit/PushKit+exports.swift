// Apple's PushKit brings Foundation along.
@_exported import Foundation
