import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * How one server hands its requests to the next while a proxy in front knows both addresses. The next one listens before it holds
 * the folder, and keeps what comes until it does. The proxy asks both (`/ready` with a header of its own: earlier releases know that
 * path alone), and at every moment one says yes, so nothing is refused. They meet in two files in the data folder, which containers share.
 */
const [path, header] = ['/ready', 'x-asked-by']

const pollMs = 20
/** A server that waits says so each time round. This long without, and it's gone. */
const staleMs = 2_000
/** A proxy that asks does so several times a second. */
const mostNoticeMs = 3_000
/** For what the proxy sent just before it heard. */
const underWayMs = 50
/** So many kept requests are answered at a time: an open server refuses more than it can take. */
const answeredAtOnce = 50

type Respond = (request: Request) => Response | Promise<Response>

const answer = (isYes: boolean) =>
  new Response(null, { status: isYes ? 204 : 503, headers: { 'cache-control': 'no-store' } })
const isQuestion = ({ url, headers }: Request) => url.endsWith(path) && headers.has(header)

const nextFile = (dataDir: string) => join(dataDir, 'next-server')
const leavingFile = (dataDir: string) => join(dataDir, 'leaving-server')

type Step = 'waiting' | 'taking'

function writeStep(dataDir: string, step: Step): void {
  const file = nextFile(dataDir)
  writeFileSync(`${file}.new`, step, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** What the next server last said. Null if there's none. */
function stepOfNext(dataDir: string): Step | null {
  const at = statSync(nextFile(dataDir), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (Date.now() - at > staleMs) return null
  return readFileSync(nextFile(dataDir), 'utf8') === 'taking' ? 'taking' : 'waiting'
}

const isLeaving = (dataDir: string) => statSync(leavingFile(dataDir), { throwIfNoEntry: false }) !== undefined

export type Waiting = {
  /** Keeps a request until `opened`, however long that takes. */
  hold(request: Request, server: Bun.Server<undefined>): Response | Promise<Response>
  /** Call it again and again while the folder is another server's. */
  again(): Promise<void>
  opened(respond: Respond): void
}

type Kept = { request: Request; given: PromiseWithResolvers<Response> }

/** For a server that takes over. */
export function waitForFolder(dataDir: string): Waiting {
  const kept: Kept[] = []
  let [mayTake, step] = [false, 'waiting' as Step]
  async function answerKept(respond: Respond): Promise<void> {
    for (let one = kept.shift(); one !== undefined; one = kept.shift()) {
      const { request, given } = one
      // Who has gone sends it again, or has thought better of it.
      given.resolve(Promise.try(() => (request.signal.aborted ? answer(false) : respond(request))))
      await given.promise.catch(() => {})
    }
  }
  return {
    hold(request, server) {
      if (!isQuestion(request)) {
        const given = Promise.withResolvers<Response>()
        server.timeout(request, 0)
        kept.push({ request, given })
        return given.promise
      }
      if (mayTake) step = 'taking'
      return answer(mayTake)
    },
    async again() {
      mayTake = isLeaving(dataDir)
      writeStep(dataDir, step)
      await Bun.sleep(pollMs)
    },
    opened(respond) {
      rmSync(nextFile(dataDir), { force: true })
      for (let line = 0; line < answeredAtOnce; line += 1) void answerKept(respond)
    },
  }
}

export type Leaving = {
  /** Answers the proxy's question. Null for any other request. */
  respond(request: Request): Response | null
  /** Before a stop. False if no server waits for this one's folder. `worked`: the jobs have ended; nobody else waits for them. */
  handOver(worked: Promise<unknown>): Promise<boolean>
}

/** For the server that holds the folder. */
export function createLeaving(dataDir: string): Leaving {
  // A handover that was cut off would have the next one take what this server answers.
  rmSync(leavingFile(dataDir), { force: true })
  const told = { isLeaving: false, hasProxyHeard: false }
  return {
    respond(request) {
      if (!isQuestion(request)) return null
      if (told.isLeaving) told.hasProxyHeard = true
      return answer(!told.isLeaving)
    },
    async handOver(worked) {
      if (stepOfNext(dataDir) === null) return false
      await worked
      const until = Date.now() + mostNoticeMs
      const wait = async (isOver: () => boolean) => {
        while (!isOver() && Date.now() < until) await Bun.sleep(pollMs)
      }
      writeFileSync(leavingFile(dataDir), '', { mode: 0o600 })
      await wait(() => stepOfNext(dataDir) !== 'waiting')
      told.isLeaving = true
      await wait(() => told.hasProxyHeard)
      await Bun.sleep(underWayMs)
      return true
    },
  }
}
