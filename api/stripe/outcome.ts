import { AsyncLocalStorage } from 'node:async_hooks'

type Sent = { mayHaveChanged: boolean }

const sent = new AsyncLocalStorage<Sent>()
const unknown = new WeakSet<Error>()

/** The one POST that changes nothing. */
const preview = '/v1/invoices/create_preview'

/** Call it before each request. What it returns is called with the response's status, or null if none came. */
export function noteRequest(method: string, url: string): (status: number | null) => void {
  const store = sent.getStore()
  if (store === undefined || method === 'GET' || new URL(url).pathname === preview) return () => {}
  return (status) => {
    // A refusal changed nothing, but for a key that's still in use by the same request.
    if (status === null || status < 400 || status === 409 || status >= 500) store.mayHaveChanged = true
  }
}

/** Runs the work, which can ask whether it has sent anything that Stripe may have carried out. */
export function notingChanges<Result>(work: (mayHaveChanged: () => boolean) => Promise<Result>): Promise<Result> {
  const store: Sent = { mayHaveChanged: false }
  return sent.run(store, () => work(() => store.mayHaveChanged))
}

export const markOutcomeUnknown = (error: Error) => unknown.add(error)
export const isOutcomeUnknown = (error: unknown): boolean => error instanceof Error && unknown.has(error)
