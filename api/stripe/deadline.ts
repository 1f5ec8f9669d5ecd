import { AsyncLocalStorage } from 'node:async_hooks'
import { noteRequest } from './outcome.ts'

/**
 * How long a request may wait for Stripe in total. Each call has its own timeout, but calls follow each other and are retried.
 * With our own work this stays below 20 seconds, and proxies give up after 30 or 60.
 */
export const providerDeadlineMs = 18_000

type Deadline = { endsAt: number; signal: AbortSignal | null }

const deadlines = new AsyncLocalStorage<Deadline | null>()

/** Runs a person's request. Calls still waiting for Stripe at the deadline fail as unreachable. */
export const withProviderDeadline = <Result>(ms: number, work: () => Result): Result =>
  deadlines.run({ endsAt: performance.now() + ms, signal: null }, work)

/** Runs work no one waits for, or that may take minutes. */
export const withoutProviderDeadline = <Result>(work: () => Result): Result => deadlines.run(null, work)

/** Whether this request's deadline has passed, so there's no point in retrying. */
export function isPastDeadline(): boolean {
  const deadline = deadlines.getStore()
  return deadline ? performance.now() >= deadline.endsAt : false
}

/** Aborts at this request's deadline, for anything else it waits for. Null without a deadline. */
export function deadlineSignal(): AbortSignal | null {
  const deadline = deadlines.getStore()
  if (!deadline) return null
  deadline.signal ??= abortAt(deadline.endsAt)
  return deadline.signal
}

/** The SDK's `fetch`, aborted at the deadline even while the body is being read. */
async function fetchInTime(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const end = deadlineSignal()
  if (end === null) return fetch(input, init)
  const signal = init?.signal ? AbortSignal.any([init.signal, end]) : end
  return fetch(input, { ...init, signal })
}

/** Called for each request. What it returns is called with the response, error responses included, or null if none came. */
export type OnRequest = () => (answer: Response | null) => void

/** Waits for what `mayRequest` waits for, and fails where it throws. */
export type MayRequest = () => Promise<void> | undefined

export function providerFetch(onRequest: OnRequest, mayRequest: MayRequest): typeof fetch {
  const heard = async (...request: Parameters<typeof fetch>) => {
    const asking = mayRequest()
    if (asking !== undefined) await asking
    const onAnswer = onRequest()
    const [input, init] = request
    const noteStatus = noteRequest(init?.method ?? 'GET', input instanceof Request ? input.url : String(input))
    try {
      const answer = await fetchInTime(...request)
      noteStatus(answer.status)
      onAnswer(answer)
      return answer
    } catch (error) {
      noteStatus(null)
      onAnswer(null)
      throw error
    }
  }
  return Object.assign(heard, { preconnect: fetch.preconnect })
}

/** The timer doesn't keep the program alive. */
function abortAt(endsAt: number): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), Math.max(0, endsAt - performance.now())).unref()
  return controller.signal
}
