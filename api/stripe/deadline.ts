import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * How long a request may wait for the provider altogether. Each call has a limit of its own, but calls follow each other and
 * are repeated; with our part this keeps the whole under 20 seconds, and proxies give up after 30 or 60.
 */
export const providerDeadlineMs = 18_000

type Deadline = { endsAt: number; signal: AbortSignal | null }

/** Null: the work may take as long as it needs. */
const deadlines = new AsyncLocalStorage<Deadline | null>()

/** Runs the work of a person's request: what it still waits for at the provider when the time is over, fails as unreachable. */
export const withProviderDeadline = <Result>(ms: number, work: () => Result): Result =>
  deadlines.run({ endsAt: performance.now() + ms, signal: null }, work)

/** Runs work that nobody waits for, or that may take minutes. */
export const withoutProviderDeadline = <Result>(work: () => Result): Result => deadlines.run(null, work)

/** Whether the deadline of this request, if it has one, is over: then nothing is worth repeating. */
export function isPastDeadline(): boolean {
  const deadline = deadlines.getStore()
  return deadline ? performance.now() >= deadline.endsAt : false
}

/** Aborts at the deadline of this request, for whatever else it waits for; null where it has none. */
export function deadlineSignal(): AbortSignal | null {
  const deadline = deadlines.getStore()
  if (!deadline) return null
  deadline.signal ??= abortAt(deadline.endsAt)
  return deadline.signal
}

/** `fetch` for the provider's SDK, cut off at the deadline; until the body is read. */
async function fetchInTime(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const end = deadlineSignal()
  if (end === null) return fetch(input, init)
  const signal = init?.signal ? AbortSignal.any([init.signal, end]) : end
  return fetch(input, { ...init, signal })
}

/** `onRequest` is called with each request, and what it returns with its answer, also one that refuses or fails. */
export function providerFetch(onRequest: () => (answer: Response) => void): typeof fetch {
  const heard = async (...request: Parameters<typeof fetch>) => {
    const onAnswer = onRequest()
    const answer = await fetchInTime(...request)
    onAnswer(answer)
    return answer
  }
  return Object.assign(heard, { preconnect: fetch.preconnect })
}

/** Its timer keeps no program alive. */
function abortAt(endsAt: number): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), Math.max(0, endsAt - performance.now())).unref()
  return controller.signal
}
