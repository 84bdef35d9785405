import Foundation

// The names that file types had before the module UniformTypeIdentifiers.

/// Core Foundation's string type.
///
/// Differs from iOS: this type is Swift's `String`, so that `kUTTypeJPEG as String` and `as CFString` compile.
public typealias CFString = String

public let kUTTypeItem: CFString = "public.item"
public let kUTTypeData: CFString = "public.data"
public let kUTTypeImage: CFString = "public.image"
public let kUTTypeJPEG: CFString = "public.jpeg"
public let kUTTypePNG: CFString = "public.png"
public let kUTTypeGIF: CFString = "com.compuserve.gif"
public let kUTTypeAudio: CFString = "public.audio"
public let kUTTypeMP3: CFString = "public.mp3"
public let kUTTypeWaveformAudio: CFString = "com.microsoft.waveform-audio"
public let kUTTypeAudioInterchangeFileFormat: CFString = "public.aiff-audio"
public let kUTTypeMPEG4Audio: CFString = "public.mpeg-4-audio"
public let kUTTypeMovie: CFString = "public.movie"
public let kUTTypeVideo: CFString = "public.video"
public let kUTTypeMPEG: CFString = "public.mpeg"
public let kUTTypeMPEG2Video: CFString = "public.mpeg-2-video"
public let kUTTypeMPEG4: CFString = "public.mpeg-4"
public let kUTTypeAVIMovie: CFString = "public.avi"
public let kUTTypeText: CFString = "public.text"
public let kUTTypePlainText: CFString = "public.plain-text"
public let kUTTypeURL: CFString = "public.url"
public let kUTTypePDF: CFString = "com.adobe.pdf"
