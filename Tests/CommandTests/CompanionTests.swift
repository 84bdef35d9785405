import CommandSupport
import Foundation
import TestSupport
import Testing

@testable import carillon

@Suite("The two programs find each other")
struct CompanionTests {
    /// Makes an executable file.
    private static func program(_ name: String, in folder: URL) throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: name)
        try Data("#!/bin/sh\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        return file.path
    }

    @Test("by the variable, else beside the program's own file, else in PATH")
    func order() throws {
        let folder = try TemporaryFolder().url
        let inPath = try Self.program("carillon-phones", in: folder.appending(path: "path"))
        let environment = ["PATH": "/nowhere:\(folder.path)/path"]
        let own = folder.appending(path: "bin/carillon")
        #expect(Companion.phones.path(in: environment, beside: own) == inPath)
        let beside = try Self.program("carillon-phones", in: folder.appending(path: "bin"))
        #expect(Companion.phones.path(in: environment, beside: own) == beside)
        let named = try Self.program("another", in: folder)
        let variable = ["CARILLON_PHONES": named]
        #expect(Companion.phones.path(in: environment.merging(variable) { $1 }, beside: own) == named)
    }

    @Test("also where the program was started by a symbolic link")
    func link() throws {
        let folder = try TemporaryFolder().url.resolvingSymlinksInPath()
        let own = URL(filePath: try Self.program("carillon", in: folder.appending(path: "bin")))
        let beside = try Self.program("carillon-phones", in: folder.appending(path: "bin"))
        let link = folder.appending(path: "carillon")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: own)
        #expect(Companion.phones.path(in: [:], beside: link) == beside)
    }

    @Test("nowhere: a variable that names no program, a folder of the name, a file that cannot be run")
    func nowhere() throws {
        let folder = try TemporaryFolder().url
        let own = folder.appending(path: "carillon")
        #expect(Companion.phones.path(in: ["CARILLON_PHONES": "/nowhere"], beside: own) == nil)
        let taken = folder.appending(path: "carillon-phones")
        try FileManager.default.createDirectory(at: taken, withIntermediateDirectories: true)
        #expect(Companion.phones.path(in: [:], beside: own) == nil)
        try FileManager.default.removeItem(at: taken)
        try Data().write(to: taken)
        #expect(Companion.phones.path(in: [:], beside: own) == nil)
    }

    @Test(
        "carillon hands over the commands with phones, also when help is asked for, and no other",
        arguments: [
            (["up"], true), (["demo", "--json"], true), (["why", "news-1"], true), (["bench", "phone"], true),
            (["help", "up"], true), (["help", "bench", "phone"], true), (["bench"], false),
            (["bench", "client"], false),
            (["serve", "up"], false), (["--help"], false), ([], false),
        ])
    func words(arguments: [String], isWithPhones: Bool) {
        #expect(CarillonCommand.isWithPhones(arguments) == isWithPhones)
    }

    @Test("a companion of another version says so")
    func version() {
        #expect(Companion.versionWarning(in: [:]) == nil)
        #expect(Companion.versionWarning(in: ["CARILLON_VERSION": CommandVersion.text]) == nil)
        #expect(Companion.versionWarning(in: ["CARILLON_VERSION": "9.9.9"])?.contains("9.9.9") == true)
    }
}
