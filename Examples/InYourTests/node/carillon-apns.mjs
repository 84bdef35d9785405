// A simulated APNs for one test: `const apns = await carillonAPNs(); … await apns.stop()`, or with `await using`
// where the language has it. The package carillon-apns-simulator of npm has it and the program; without it, it needs the
// program carillon-apns-simulator or carillon in PATH, or either in $CARILLON.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { request } from "node:http"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { basename, delimiter, join } from "node:path"
import { createInterface } from "node:readline"

const units = { s: 1, m: 60, h: 3600, d: 86_400 }
const reasons = {
    400: "BadDeviceToken", 403: "InvalidProviderToken", 410: "Unregistered", 413: "PayloadTooLarge", 429: "TooManyRequests",
    500: "InternalServerError", 503: "ServiceUnavailable",
}

/** The program of $CARILLON, of the npm package for this machine, or of PATH: the simulator's own, or carillon. */
export function command() {
    const alone = "carillon-apns-simulator"
    const named = process.env.CARILLON
    if (named) return basename(named) === alone ? [named] : [named, "apns-simulator"]
    try {
        return [createRequire(import.meta.url).resolve(`${alone}-${process.platform}-${process.arch}/bin/${alone}`)]
    } catch {
        const found = (process.env.PATH ?? "").split(delimiter).map(folder => join(folder, alone)).find(existsSync)
        return found ? [found] : ["carillon", "apns-simulator"]
    }
}

/**
 * Starts it on a free port, with further options of `carillon apns-simulator`. What it gives: url, host, port, ca, key,
 * key_id, team_id, certificate, topic, device_tokens, requests(), device(), nextAnswer(), advance(), call(), stop().
 */
export async function carillonAPNs(...options) {
    const folder = await mkdtemp(join(tmpdir(), "apns-"))
    const [program, ...first] = command()
    const child = spawn(program, [...first, "--port", "0", "--directory", folder, ...options],
        { stdio: ["ignore", "pipe", "inherit"] })
    const ended = once(child, "close")
    const lines = createInterface({ input: child.stdout })
    const line = await Promise.race([once(lines, "line"), ended])
    if (!String(line[0]).includes("is ready")) throw new Error(`${program} did not start: see its message above`)
    const settings = JSON.parse(await readFile(join(folder, "simulator.json"), "utf8"))
    const phones = []
    const stop = async () => {
        for (const phone of phones) phone.stream?.destroy()
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
    /** A new phone with the app of `topic` (the first one unless said), online unless said. */
    const device = async ({ offline = false, topic } = {}) => {
        const name = `phone-${phones.length + 1}`
        const { token } = await call("POST", `/devices/${name}/tokens`, { topic })
        const phone = new Phone({ call, url: settings.admin_url }, name, token)
        phones.push(phone)
        if (!offline) await phone.connect()
        return phone
    }
    /**
     * How the next request ends, of any token or of one: a status (503), one of Apple's reasons ("Unregistered"),
     * "lose-answer", "cut", "fall-silent" …, or null for one that is answered as ever.
     */
    const nextAnswer = (answer, { retryAfter, reason = reasons[answer], token } = {}) => {
        const fault = typeof answer !== "number" ? answer
            : { status: answer, body: reason ? JSON.stringify({ reason }) : "", ...(retryAfter === undefined ? {} : { retry_after_seconds: retryAfter }) }
        return call("POST", token ? `/tokens/${token}/answers` : "/answers", { answers: [fault] })
    }
    /** Puts APNs' clock forward, by seconds or by a text such as "90s", "20m", "1h" or "31d". */
    const advance = time => call("POST", "/clock",
        { advance_seconds: typeof time === "number" ? time : Number(time.slice(0, -1)) * units[time.at(-1)] })
    return {
        ...settings, url: `https://${settings.host}:${settings.port}`, call, requests, device, nextAnswer, advance, stop,
        ...(Symbol.asyncDispose ? { [Symbol.asyncDispose]: stop } : {}),
    }
}

/** One for a test of node:test, which stops it at its end: `test("…", async t => { const apns = await carillonAPNsFor(t) … })`. */
export async function carillonAPNsFor(test, ...options) {
    const apns = await carillonAPNs(...options)
    test.after(apns.stop)
    return apns
}

/** A phone with one app; `token` is its device token. */
class Phone {
    #admin
    #arrived = []
    #waiting = []

    constructor(admin, name, token) {
        this.#admin = admin
        Object.assign(this, { name, token, stream: null })
    }

    /** Brings it online: what has waited arrives first. */
    async connect() {
        const sent = request(`${this.#admin.url}/devices/${this.name}/pushes`, { agent: false })
        sent.on("error", () => {}).end()
        const [answer] = await once(sent, "response")
        this.stream = answer.on("error", () => {})
        createInterface({ input: answer }).on("line", line => { if (line.startsWith("data: ")) this.#take(JSON.parse(line.slice(6))) })
        await this.#until(true)
    }

    /** Takes it offline, so that APNs stores what is sent to it. */
    async disconnect() {
        this.stream?.destroy()
        this.stream = null
        await this.#until(false)
    }

    async #until(online) {
        while ((await this.#admin.call("GET", `/devices/${this.name}`)).online !== online);
    }

    #take(push) {
        const next = this.#waiting.shift()
        if (next) next(push); else this.#arrived.push(push)
    }

    /** The next push that arrives, with `payload`, `topic`, `priority` …; throws if none does. */
    push({ timeout = 10_000 } = {}) {
        if (this.#arrived.length > 0) return Promise.resolve(this.#arrived.shift())
        return new Promise((resolve, reject) => {
            const timer = setTimeout(() => reject(new Error(`no push came to ${this.name} within ${timeout} ms`)), timeout)
            this.#waiting.push(push => { clearTimeout(timer); resolve(push) })
        })
    }

    /** Deletes the app: 410 Unregistered from now on. */
    deleteApp() { return this.#admin.call("DELETE", `/tokens/${this.token}`) }
}
