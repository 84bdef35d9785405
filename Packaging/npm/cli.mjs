#!/usr/bin/env node
// Runs the program of this machine's package, and ends as it ends.
import { spawnSync } from "node:child_process"
import { command } from "./carillon-apns.mjs"

const [program, ...first] = command()
const run = spawnSync(program, [...first, ...process.argv.slice(2)], { stdio: "inherit" })
if (run.error) {
    console.error(`error: ${program} cannot be started (${run.error.code}): there is a package for Linux with x64 and arm64`)
    process.exit(1)
}
process.exit(run.status ?? 1)
