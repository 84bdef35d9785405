// A sender's test: node --test Examples/InYourTests/node
import assert from "node:assert/strict"
import { createPrivateKey, sign } from "node:crypto"
import { readFileSync } from "node:fs"
import { connect } from "node:http2"
import test from "node:test"
import { carillonAPNs, carillonAPNsFor } from "./carillon-apns.mjs"

function token(apns) {
    const part = value => Buffer.from(JSON.stringify(value)).toString("base64url")
    const text = `${part({ alg: "ES256", kid: apns.key_id })}.${part({ iss: apns.team_id, iat: Math.floor(Date.now() / 1000) })}`
    const key = { key: createPrivateKey(readFileSync(apns.key)), dsaEncoding: "ieee-p1363" }
    return `${text}.${sign("sha256", text, key).toString("base64url")}`
}

async function send(apns, deviceToken) {
    const session = connect(apns.url, { ca: readFileSync(apns.ca) })
    const stream = session.request({
        ":method": "POST", ":path": `/3/device/${deviceToken}`, authorization: `bearer ${token(apns)}`,
        "apns-topic": apns.topic, "apns-push-type": "alert",
    })
    stream.end(JSON.stringify({ aps: { alert: "Hello" } }))
    const headers = await new Promise((resolve, reject) => stream.on("response", resolve).on("error", reject))
    let body = ""
    for await (const data of stream.setEncoding("utf8")) body += data
    session.close()
    return { status: headers[":status"], retryAfter: headers["retry-after"], body }
}

test("a push arrives, and an app that was deleted is 410", async t => {
    const apns = await carillonAPNsFor(t, "--devices", "2")
    assert.equal((await send(apns, apns.device_tokens[0])).status, 200)
    assert.deepEqual((await apns.requests()).at(-1).payload, { aps: { alert: "Hello" } })
    await apns.call("DELETE", `/tokens/${apns.device_tokens[1]}`)
    const refused = await send(apns, apns.device_tokens[1])
    assert.equal(refused.status, 410)
    assert.equal(JSON.parse(refused.body).reason, "Unregistered")
})

test("a phone that is offline gets its push when it is back", async t => {
    const apns = await carillonAPNsFor(t)
    const phone = await apns.device({ offline: true })
    assert.equal((await send(apns, phone.token)).status, 200)
    await phone.connect()
    assert.deepEqual((await phone.push()).payload, { aps: { alert: "Hello" } })
    await phone.disconnect()
    await send(apns, phone.token)
    await apns.advance("31d")
    await phone.connect()
    assert.deepEqual((await apns.call("GET", "/fleet")).discarded, { expired: 1 })
    await phone.deleteApp()
    assert.equal((await send(apns, phone.token)).status, 410)
})

test("APNs is away for half a minute", async t => {
    const apns = await carillonAPNsFor(t)
    const phone = await apns.device()
    await apns.nextAnswer(503, { retryAfter: 30 })
    assert.deepEqual(await send(apns, phone.token), { status: 503, retryAfter: "30", body: '{"reason":"ServiceUnavailable"}' })
    assert.equal((await send(apns, phone.token)).status, 200)
})

test("it ends with its test, and without node:test by hand", async t => {
    let ended
    await t.test("one test", async one => { ended = await carillonAPNsFor(one) })
    await assert.rejects(ended.requests(), { code: "ECONNREFUSED" })
    const apns = await carillonAPNs("--topic", "com.example.one")
    assert.equal(apns.topic, "com.example.one")
    await apns.stop()
})
