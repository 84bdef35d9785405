// A simulated APNs for one test: `const apns = await carillonAPNs(); … await apns.stop()`, or with `await using`
// where the language has it. Needs the program carillon in PATH, or in $CARILLON.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { request } from "node:http"

/**
 * Starts it on a free port, with further options of `carillon apns-simulator`. What it gives: url, host, port, ca, key,
 * key_id, team_id, certificate, topic, device_tokens, requests(), call(), stop().
 */
export async function carillonAPNs(...options) {
    const folder = await mkdtemp(join(tmpdir(), "apns-"))
    const program = process.env.CARILLON ?? "carillon"
    const child = spawn(program, ["apns-simulator", "--port", "0", "--directory", folder, ...options],
        { stdio: ["ignore", "pipe", "inherit"] })
    const ended = once(child, "close")
    const lines = createInterface({ input: child.stdout })
    const first = await Promise.race([once(lines, "line"), ended])
    if (!String(first[0]).includes("is ready")) throw new Error(`${program} did not start: see its message above`)
    const settings = JSON.parse(await readFile(join(folder, "simulator.json"), "utf8"))
    const stop = async () => {
        child.kill()
        await ended
        await rm(folder, { recursive: true, force: true })
    }
    /** A call of the admin API, such as call("DELETE", `/tokens/${token}`). */
    const call = (method, path, body) => new Promise((resolve, reject) => {
        const sent = request(settings.admin_url + path, { method, agent: false }, async answer => {
            let text = ""
            for await (const part of answer.setEncoding("utf8")) text += part
            if (answer.statusCode >= 300) return reject(new Error(`${answer.statusCode} ${text}`))
            resolve(text ? JSON.parse(text) : null)
        })
        sent.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body))
    })
    /** The journal: what came, and what was made of it. */
    const requests = async () => (await call("GET", "/requests")).map(event => event.request)
    return {
        ...settings, url: `https://${settings.host}:${settings.port}`, call, requests, stop,
        ...(Symbol.asyncDispose ? { [Symbol.asyncDispose]: stop } : {}),
    }
}
