import type { Context } from '#api/context.ts'
import { errorMessage } from '#api/log.ts'
import { takeChanged } from '#api/serving/kept-answers.ts'

const lookMs = 500
/** An answer made just before a change may arrive at the CDN just after our message, so we send it once more. */
const againMs = 3_000
const patienceMs = 5_000
/** Between two attempts while it can't be told. */
const retryMs = 5_000

/**
 * Tells the CDN to drop what changed, within a second: everything if another process changed something, and at the start, which may
 * be a new release's.
 */
export function startPurging(ctx: Context): { stop(): void } {
  const { cdn } = ctx.settings
  if (cdn === null) return { stop() {} }
  let fresh: ReadonlySet<string> = new Set()
  let again: ReadonlySet<string> = new Set()
  let dueAt = 0
  let waitsUntil = 0
  let isBusy = false
  const look = async () => {
    fresh = new Set([...fresh, ...takeChanged(ctx)])
    const isNews = fresh.size > 0
    const tags = isNews ? fresh : again
    if (isBusy || Date.now() < waitsUntil || tags.size === 0 || (!isNews && Date.now() < dueAt)) return
    isBusy = true
    fresh = new Set()
    const isTold = await sendPurge(ctx, cdn, [...tags])
    isBusy = false
    dueAt = Date.now() + againMs
    waitsUntil = isTold ? 0 : Date.now() + retryMs
    if (!isTold) fresh = new Set([...fresh, ...tags])
    else again = new Set(isNews ? [...again, ...tags] : [])
  }
  const timer = setInterval(
    () => void look().catch((error) => ctx.log.warn('purge', { reason: errorMessage(error) })),
    lookMs,
  )
  return { stop: () => clearInterval(timer) }
}

/** False if the CDN couldn't be told. It's tried again until it was. */
async function sendPurge(
  { log }: Context,
  { url, token }: { url: string; token: string | undefined },
  tags: readonly string[],
): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'surrogate-key': tags.join(' '),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ tags }),
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs),
    })
    if (response.ok) return true
    log.warn('the CDN refused our word', { status: response.status })
  } catch (error) {
    log.warn('no word got through to the CDN', { reason: errorMessage(error) })
  }
  return false
}
