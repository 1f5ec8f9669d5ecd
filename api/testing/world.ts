import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { type App, createApp } from '#api/app.ts'
import { type Context, createContext } from '#api/context.ts'
import { shortenWaits } from '#api/db/busy.ts'
import { type OpenOptions, openDatabase } from '#api/db/open.ts'
import { startSession } from '#api/features/accounts/login/session-service.ts'
import { ensureTiers } from '#api/features/tiers/service.ts'
import type { Log } from '#api/log.ts'
import type { Meter } from '#api/meter.ts'
import type { OutsideNetwork } from '#api/outside-request.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { readSettings } from '#api/settings.ts'
import { createStripe } from '#api/stripe/client.ts'
import { listenForTime } from '#api/stripe/provider-time.ts'
import type { VideoHosts } from '#api/video-hosts/oembed.ts'
import { ErrorBody } from '#shared/contract/error.ts'
import { auditedCalls } from './audited-calls.ts'
import { migratedDatabase } from './migrated.ts'
import { registerConnection } from './open-worlds.ts'
import { addMember, addUser, addVideos, type MemberOptions, type TestPerson } from './people.ts'
import { isOwnersAct, type Row, rowsOf } from './routes.ts'

export const startOfTime = new Date('2026-06-12T07:40:00.000Z')

/** A body is sent as JSON, unless it's bytes or a form, whose type is in the headers. */
export type CallOptions = { method?: string; body?: unknown; headers?: Record<string, string> }
export type Call = (path: string, options?: CallOptions) => Promise<Response>

export type World = {
  ctx: Context
  /** All features in one app, for tests that list routes or listen. `handle` is much quicker. */
  wholeApp(): App
  /** Handles a request as if it came over the network, loading only its features. */
  handle(request: Request): Promise<Response>
  logged: string[]
  /** Moves both clocks. */
  forward(ms: number): void
  /** A request without a session or browser headers. */
  call: Call
  /** The same as this person, who has just entered their password. */
  signIn(person: TestPerson): Call & { cookie: string }
  addUser(more?: Parameters<typeof addUser>[1]): TestPerson
  addMember(options?: MemberOptions): TestPerson
  addOwner(): TestPerson
  addVideos(): ReturnType<typeof addVideos>
}

export type WorldOptions = OpenOptions & {
  env?: Record<string, string>
  sandboxPort?: number
  file?: string
  /** Another world's database, serialised. */
  copy?: Buffer
  localActor?: string
  startsAt?: Date
  videoHosts?: VideoHosts
  outside?: OutsideNetwork
  meter?: Meter
}

/** For worlds without their own folder. Deleted with the test file. */
const dataDir = join(tmpdir(), `alliance-world-${process.pid}`)

const noNetwork: OutsideNetwork = { resolve: async () => [], isPublic: () => false }

/** Nothing listens here. The port of the settings may be that of a site that runs on this machine beside the tests. */
const nobodysPort = 1

/** The whole API on a real in-memory database, with a stopped clock. */
export function startWorld({
  env = {},
  sandboxPort = nobodysPort,
  file,
  copy,
  localActor,
  startsAt = startOfTime,
  videoHosts,
  outside = noNetwork,
  meter,
  ...open
}: WorldOptions = {}): World {
  if (file !== undefined && !existsSync(file)) writeFileSync(file, migratedDatabase())
  mkdirSync(dataDir, { recursive: true })
  const settings = { ...readSettings({ DATA_DIR: dataDir, FFMPEG: 'off', ...env }), sandboxPort }
  const clock = { at: startsAt.getTime() }
  const logged: string[] = []
  const write = (message: string, fields?: object) => void logged.push(JSON.stringify({ message, ...fields }))
  const log: Log = { debug() {}, info: write, warn: write, error: write }
  const database = openDatabase(file ?? copy ?? migratedDatabase(), open)
  registerConnection(database.sqlite)
  const now = () => new Date(clock.at)
  const ctx = createContext({
    ...database,
    settings,
    now,
    log,
    stripe: createStripe(settings, { onRequest: listenForTime(database.sqlite, now) }),
    videoHosts: videoHosts ?? null,
    outside,
    ...(meter === undefined ? {} : { meter }),
    ...(localActor === undefined ? {} : { localActor }),
  })
  ensureTiers(ctx)
  shortenWaits(ctx)
  let app: App | undefined
  const wholeApp = () => {
    app ??= createApp(ctx)
    return app
  }
  let acts: Row[] | undefined
  const audited = auditedCalls(database.sqlite, () => {
    acts ??= rowsOf(wholeApp()).filter(isOwnersAct)
    return acts
  })
  const handle = (request: Request) => audited(request, async () => wholeApp().handle(request))
  const call: Call = async (path, options) => {
    // A real request starts a new turn of the event loop, so it sees what others have written.
    await new Promise(setImmediate)
    const response = await handle(toRequest(path, options))
    // And its answer arrives in a later one: what was noted on the side is there.
    await new Promise(setImmediate)
    return response
  }
  return {
    ctx,
    wholeApp,
    handle,
    logged,
    call,
    forward: (ms) => {
      clock.at += ms
    },
    signIn: (person) => {
      const cookie = startSession(ctx, person.id, { isProven: true }).split(';')[0] ?? ''
      const asPerson: Call = (path, options = {}) => call(path, { ...options, headers: { cookie, ...options.headers } })
      return Object.assign(asPerson, { cookie })
    },
    addUser: (more) => addUser(ctx, more),
    addMember: (options) => addMember(ctx, options),
    addOwner: () => addUser(ctx, { isAdmin: true, firstName: 'Olive', lastName: 'Hart' }),
    addVideos: () => {
      const videos = addVideos(ctx)
      invalidateResponses(ctx)
      return videos
    },
  }
}

export async function readError(response: Response) {
  const { error } = v.parse(ErrorBody, await response.json())
  const { code, message, fields, tiers } = error
  return { status: response.status, code, message, fields, tiers }
}

export function toRequest(path: string, { method, body, headers = {} }: CallOptions = {}, origin = 'http://localhost') {
  const json =
    body === undefined ? {} : { body: toBody(body), headers: { 'content-type': 'application/json', ...headers } }
  return new Request(`${origin}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    ...json,
  })
}

function toBody(body: unknown) {
  if (body instanceof Uint8Array) return new Uint8Array(body)
  return body instanceof URLSearchParams ? body : JSON.stringify(body)
}
