// Of Apple's AVFoundation there is what calls need: its audio session.
@_exported import AVFAudio
@_exported import Foundation
