import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { customerNetwork } from '#api/network-address.ts'
import { clientAddress } from '#api/serving/client-address.ts'
import { closedPolicy } from '#api/serving/closed-policy.ts'

export type Respond = (request: Request) => Response | Promise<Response>

/** How long new requests may begin before the event loop goes round: longer than nearly all need, shorter than anyone notices. */
const turnMs = 8

/**
 * How many waiting requests begin each time the loop goes round. Each may take a few milliseconds. With two, pages beside 200 uploads
 * at the same time wait a third less, but fewer ticks share a commit: a fifth fewer a second.
 */
const startedPerRound = 4

/** Requests that wait or are being worked on. A body on its way in or out doesn't count: on a bad line it takes minutes. */
const mostUnanswered = 200

const retryAfterSeconds = 5

type Waiting = { start(): void; refuse(): void }

type Turns = {
  networkOf(request: Request): string
  /** When the first request since the loop last went round began. Null if none has. */
  since: number | null
  unanswered: number
  /** Requests whose body has arrived. They have begun, so they aren't refused, nor is anyone else because of them. */
  received: Lines<() => void>
  waiting: Lines<Waiting>
  refused: Waiting[]
  /** Gives up a body that's still on its way in. */
  unread: Set<GiveUp>
  /** Breaks off a body that's read from the database as it's sent. */
  unsent: Set<GiveUp>
}

type GiveUp = (reason: AppError) => void

/** By network, in the order in which they have their turn. */
type Lines<One> = { byNetwork: Map<string, One[]>; count: number }

const emptyLines = <One>(): Lines<One> => ({ byNetwork: new Map(), count: 0 })

/**
 * Begins requests for a few milliseconds, then lets the event loop go round. The others wait, and each network has its turn.
 *
 * Bun accepts connections for as long as there are any, and runs each one's request right there. Handlers that work for some
 * milliseconds give others the time to connect, so a few hundred small requests a second kept the loop from its timers and from
 * finished password checks. `setImmediate` in front of each request isn't enough: all that wait then begin together.
 */
export function respondInTurns(ctx: Context, serverOf: () => Bun.Server<undefined> | null, respond: Respond): Respond {
  const turns: Turns = {
    networkOf: (request) => customerNetwork(clientAddress(ctx, { request, server: serverOf() })),
    since: null,
    unanswered: 0,
    received: emptyLines(),
    waiting: emptyLines(),
    refused: [],
    unread: new Set(),
    unsent: new Set(),
  }
  turnsOfSite.set(ctx, turns)
  return (request) => {
    turnsOf.set(request, turns)
    if (mayStart(turns)) return work(turns, request, respond)
    return new Promise((resolve) => {
      const start = () => resolve(work(turns, request, respond))
      waitInLine(turns, turns.networkOf(request), { start, refuse: () => resolve(busyResponse(request)) })
    })
  }
}

/** Requests made in this process have none. */
const turnsOf = new WeakMap<Request, Turns>()
const turnsOfSite = new WeakMap<Context, Turns>()

/** How long we wait for bodies while the next server holds everyone else's requests. On a bad line one takes minutes. */
const lastBodyMs = 500

/**
 * Resolves once each request has its answer, and nothing that's being sent needs the database. If a body is still on its way in after
 * a moment, its sender is asked to send it again; one on its way out breaks off.
 */
export async function answerAll(ctx: Context): Promise<void> {
  const turns = turnsOfSite.get(ctx)
  if (turns === undefined) return
  const { unread, unsent } = turns
  const until = performance.now() + lastBodyMs
  while (turns.unanswered > 0 || unread.size > 0 || unsent.size > 0 || isAnyoneInLine(turns)) {
    if (performance.now() > until)
      for (const giveUp of [...unread, ...unsent])
        giveUp(new AppError('busy', sentence, { retryAfter: retryAfterSeconds }))
    await Bun.sleep(20)
  }
}

/** Notes a body that's read from the database as it's sent. Call what it returns once it has ended or been given up. */
export function noteUnsent(ctx: Context, giveUp: GiveUp): () => void {
  const unsent = turnsOfSite.get(ctx)?.unsent
  unsent?.add(giveUp)
  return () => unsent?.delete(giveUp)
}

const isAnyoneInLine = ({ waiting, received }: Turns) => waiting.count > 0 || received.count > 0

function mayStart(turns: Turns): boolean {
  if (isAnyoneInLine(turns) || turns.unanswered >= mostUnanswered) return false
  return turns.since === null || performance.now() - turns.since < turnMs
}

async function work(turns: Turns, request: Request, respond: Respond): Promise<Response> {
  takeTurn(turns)
  try {
    return await respond(request)
  } finally {
    turns.unanswered -= 1
  }
}

function takeTurn(turns: Turns): void {
  turns.unanswered += 1
  beginRound(turns)
}

function beginRound(turns: Turns): void {
  if (turns.since !== null) return
  turns.since = performance.now()
  setImmediate(() => endRound(turns))
}

/** Reads a request's body. Until it's here the request has no place, and then it waits for its turn again. */
export async function receiving<Body>(request: Request, read: () => Promise<Body>): Promise<Body> {
  const turns = turnsOf.get(request)
  if (turns === undefined) return readWhole(read)
  // A connection that has closed meanwhile has no address.
  const network = turns.networkOf(request)
  turns.unanswered -= 1
  const { promise: givenUp, reject } = Promise.withResolvers<never>()
  turns.unread.add(reject)
  try {
    return await Promise.race([readWhole(read), givenUp])
  } finally {
    turns.unread.delete(reject)
    if (!mayStart(turns))
      await new Promise<void>((resolve) => {
        addTo(turns.received, network, resolve)
        beginRound(turns)
      })
    takeTurn(turns)
  }
}

/** A line that's lost in the middle is no fault of ours. Nobody reads this answer. */
async function readWhole<Body>(read: () => Promise<Body>): Promise<Body> {
  try {
    return await read()
  } catch (error) {
    const isLost = error instanceof Error && error.name === 'AbortError'
    throw isLost ? new AppError('malformed', 'The rest of this request never came. Send it again.') : error
  }
}

function waitInLine(turns: Turns, network: string, one: Waiting): void {
  addTo(turns.waiting, network, one)
  if (turns.unanswered + turns.waiting.count > mostUnanswered) refuseOne(turns)
  beginRound(turns)
}

function addTo<One>(lines: Lines<One>, network: string, one: One): void {
  const line = lines.byNetwork.get(network)
  if (line === undefined) lines.byNetwork.set(network, [one])
  else line.push(one)
  lines.count += 1
}

/** The latest of the network that has most. It hears of it when the loop has gone round, or the loop would go on accepting. */
function refuseOne({ waiting, refused }: Turns): void {
  const most = Math.max(...[...waiting.byNetwork.values()].map((line) => line.length))
  for (const [network, line] of waiting.byNetwork) {
    if (line.length < most) continue
    refused.push(...line.splice(-1))
    if (line.length === 0) waiting.byNetwork.delete(network)
    waiting.count -= 1
    return
  }
}

function endRound(turns: Turns): void {
  turns.since = null
  for (const { refuse } of turns.refused.splice(0)) refuse()
  for (let started = 0; started < startedPerRound; started += 1) {
    // By turns who came last and who has waited longest: nobody queues behind all of a flood from many networks, nor for ever.
    const at = started % 2 === 0 ? -1 : 0
    nextOf(turns.received, at)?.()
    nextOf(turns.waiting, at)?.start()
  }
  if (isAnyoneInLine(turns)) beginRound(turns)
}

/** Of the network that came last (-1), or has waited longest (0). */
function nextOf<One>(lines: Lines<One>, at: 0 | -1): One | undefined {
  const [network, line] = [...lines.byNetwork].at(at) ?? []
  if (network === undefined || line === undefined) return undefined
  lines.byNetwork.delete(network)
  lines.count -= 1
  const next = line.shift()
  if (line.length > 0) lines.byNetwork.set(network, line)
  return next
}

const sentence = 'We’re busy. Try again in a few seconds.'

function busyResponse({ url }: Request): Response {
  const options = {
    status: 503,
    headers: {
      'cache-control': 'private, no-store',
      'content-security-policy': closedPolicy,
      'retry-after': String(retryAfterSeconds),
    },
  }
  if (!new URL(url).pathname.startsWith('/api/')) return new Response(sentence, options)
  return Response.json({ error: { code: 'busy', message: sentence } }, options)
}
