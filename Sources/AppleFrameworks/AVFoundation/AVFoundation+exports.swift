// The part of Apple's AVFoundation that calls need: its audio session.
@_exported import AVFAudio
@_exported import Foundation
