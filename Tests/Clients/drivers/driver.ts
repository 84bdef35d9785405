/** What the tests have the TypeScript client do: driver.js SCENARIO [ARGUMENT …]. It prints one line of JSON. */
import {readFileSync} from 'node:fs';
import {inspect} from 'node:util';
import {APIError, Carillon, NoAnswerError, WebhookError, verifyWebhook} from 'carillon-client';

declare const process: {argv: string[]; env: Record<string, string | undefined>};
const env = process.env;

function client(): Carillon {
  return new Carillon({
    url: env.CARILLON_URL!, key: env.CARILLON_API_KEY!, topic: env.CARILLON_TOPIC, timeout: Number(env.CLIENT_TIMEOUT ?? 30_000),
    attempts: Number(env.CLIENT_ATTEMPTS ?? 4),
  });
}

function verify(path: string): unknown {
  const request = JSON.parse(readFileSync(path, 'utf8'));
  return verifyWebhook(request.secrets, request.headers, request.body).map((event) => [event.type, event.message ?? '']);
}

async function collected<T, V>(all: AsyncIterable<T>, value: (each: T) => V): Promise<V[]> {
  const out = [];
  for await (const each of all) out.push(value(each));
  return out;
}

async function change(carillon: Carillon, webhook: string, etag: string): Promise<string> {
  return (await carillon.changeWebhook(webhook, {texts: true}, {ifMatch: etag})).id;
}

async function awaited(carillon: Carillon, message: string): Promise<string> {
  for (let look = 0; look < 400; look++) {
    const report = await carillon.report(message);
    if (report.counts.accepted === 1) return report.state;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${message} is not accepted by APNs`);
}

type Out = Record<string, unknown>;

async function messages(carillon: Carillon, me: string, out: Out) {
  const body = {to: {user: 'u-42'}, payload: {aps: {alert: {title: 'Zug 🚆'}}}, id: `${me}-1`, campaign: me};
  out.count = await carillon.countAudience({to: {devices: ['phone']}});
  out.dry_run = (await carillon.dryRun(body)).devices;
  out.send = (await carillon.send(body)).devices;
  out.again = (await carillon.send(body)).id;
  out.report = await awaited(carillon, `${me}-1`);
  const later = {to: {user: 'u-42'}, payload: {aps: {alert: 'Later'}}, id: `${me}-2`, send_at: Date.now() / 1000 + 3600};
  out.later = (await carillon.send(later)).state;
  out.steered = [(await carillon.pause(`${me}-2`)).state, (await carillon.resume(`${me}-2`)).state, (await carillon.cancel(`${me}-2`)).state];
  out.messages = await collected(carillon.messages({id: `${me}-`, limit: 1}), (each) => each.id);
  out.cancelled = await collected(carillon.messages({id: `${me}-`, state: ['cancelled', 'paused']}), (each) => each.title);
  out.recipients = await collected(carillon.recipients(`${me}-1`, {group: 'not_shown'}), (each) => [each.device, each.state]);
  out.timeline = (await collected(carillon.timeline(`${me}-1`), (each) => each.events.map((event) => event.event))).flat();
  out.resend = (await carillon.resend(`${me}-1`)).id;
  out.read = (await carillon.markRead('u-42', {messages: [`${me}-1`]})).marked;
  out.recall = (await carillon.recall(`${me}-1`, {notice: {title: 'Vorbei'}})).state;
  out.figures = (await carillon.figures({campaign: me})).total.accepted > 0;
  out.campaigns = (await collected(carillon.campaigns({limit: 1}), (each) => each.campaign)).filter((each) => each === me);
}

async function people(carillon: Carillon, me: string, out: Out) {
  const user = `u/${me} ü`;
  const token = Array.from(me, (each) => each.charCodeAt(0).toString(16)).join('').repeat(8);
  out.import = (await carillon.importDevices(`token,user\n${token},${user}\n`)).added;
  const device = (await carillon.userDevices(user))[0]!.installation;
  out.devices = await collected(carillon.devices({user}), (each) => each.installation === device);
  out.device = (await carillon.device('phone')).user;
  out.sign_out_device = (await carillon.signOutDevice(device)).removals;
  out.sign_out_user = await carillon.signOutUser(user);
  out.user = (await carillon.user('u-42', {limit: 100})).messages.map((each) => each.id).filter((each) => each === `${me}-1`);
  out.erase_user = (await carillon.eraseUser(user)).remaining;
  await carillon.deleteDevice(device);
  await carillon.changeApp({sends_per_second: 500});
  out.app = (await carillon.app()).sends_per_second;
  out.change_app = (await carillon.changeApp({sends_per_second: 0})).sends_per_second ?? 0;
}

async function activities(carillon: Carillon, me: string, out: Out) {
  const started = await carillon.startLiveActivity({
    id: `${me}-live`, to: {user: 'u-42'}, 'attributes-type': 'OrderAttributes', attributes: {order: `${me}-live`},
    'content-state': {stops: 9}, alert: {title: 'Your order'},
  });
  out.started = [started.state, started.phones];
  out.updated = (await carillon.updateLiveActivity(`${me}-live`, {'content-state': {stops: 8}})).revision;
  out.activity = (await carillon.liveActivity(`${me}-live`))['content-state'];
  out.phones = await collected(carillon.liveActivityTimeline(`${me}-live`), (each) => each.device);
  out.ended = (await carillon.endLiveActivity(`${me}-live`)).state;
}

async function webhooks(carillon: Carillon, me: string, out: Out) {
  const added = await carillon.addWebhook({url: `http://127.0.0.1:1/${me}`, types: ['message.opened']});
  out.secret = added.secret!.startsWith('whsec_') && (await carillon.webhook(added.id)).secret === undefined;
  const etag = (await carillon.request('GET', `/v1/webhooks/${added.id}`)).headers.get('etag')!;
  out.changed = (await carillon.changeWebhook(added.id, {texts: true}, {ifMatch: etag})).texts;
  await change(carillon, added.id, etag).catch((error) => (out.stale = [error.status, error.problem]));
  out.rotated = (await carillon.rotateWebhook(added.id)).secret !== added.secret;
  await carillon.replayWebhook(added.id, {since: Date.now() / 1000 - 60});
  out.tested = (await carillon.testWebhook(added.id)).id === added.id;
  out.webhooks = (await carillon.webhooks()).map((each) => each.id === added.id);
  await carillon.deleteWebhook(added.id);
}

async function everything(carillon: Carillon, me: string): Promise<Out> {
  const out: Out = {};
  const after = (await carillon.events()).next;
  for (const part of [messages, people, activities, webhooks]) await part(carillon, me, out);
  out.events = await collected(carillon.follow({after, types: ['message.accepted'], wait: null}), (each) => each.message);
  return out;
}

const scenarios: Record<string, (carillon: Carillon, one: string, two: string) => Promise<unknown>> = {
  new: async () => 'made',
  report: async (carillon, message) => (await carillon.report(message)).state,
  send: async (carillon) => (await carillon.send({to: {user: 'u-42'}, payload: {aps: {alert: 'Zug 🚆 ü\u2028\\'}}})).id,
  messages: (carillon) => collected(carillon.messages(), (each) => each.id),
  'delete-device': (carillon, device) => carillon.deleteDevice(device).then(() => null),
  'test-webhook': async (carillon, webhook) => (await carillon.testWebhook(webhook)).id,
  'change-webhook': change,
  import: async (carillon, path) => (await carillon.importDevices(readFileSync(path))).added,
  all: everything,
};

async function main([scenario, one = '', two = '']: string[]): Promise<unknown> {
  try {
    if (scenario === 'verify') return {value: verify(one)};
    const carillon = client();
    const shown = `${carillon} ${inspect(carillon, {showHidden: true})} ${JSON.stringify(carillon)}`;
    return {value: await scenarios[scenario!]!(carillon, one, two), shown};
  } catch (error) {
    if (error instanceof APIError) {
      const {status, type, problem = '', title, detail, pointer = '', retryAfter, message} = error;
      const retry_after = retryAfter === undefined ? null : retryAfter / 1000;
      return {error: {kind: 'api', status, type, name: problem, title, detail, pointer, retry_after, text: `${message} ${inspect(error)}`}};
    }
    if (error instanceof NoAnswerError) return {error: {kind: 'no-answer', text: inspect(error)}};
    if (error instanceof WebhookError) return {error: {kind: 'webhook', text: inspect(error)}};
    if (error instanceof TypeError || error instanceof RangeError) return {error: {kind: 'argument', text: inspect(error)}};
    throw error;
  }
}

console.log(JSON.stringify(await main(process.argv.slice(2))));
