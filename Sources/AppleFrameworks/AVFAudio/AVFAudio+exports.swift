// Apple's AVFAudio brings Foundation along.
@_exported import Foundation
