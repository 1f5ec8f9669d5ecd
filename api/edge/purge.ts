import type { Context } from '#api/context.ts'
import { cacheVersion } from '#api/http/response-cache.ts'
import { errorMessage } from '#api/log.ts'
import { changingTags } from './marks.ts'

const lookMs = 500
/** An answer made just before a change may arrive at the CDN just after our message, so we send it once more. */
const againMs = 3_000
const patienceMs = 5_000
/** Between two attempts while it can't be told. */
const retryMs = 5_000

/** Tells the CDN to drop what changed, within a second. Tells it at the start too: this may be a new release. */
export function startPurging(ctx: Context): { stop(): void } {
  const { cdn } = ctx.settings
  if (cdn === null) return { stop() {} }
  let told = -1
  let dueAt = 0
  let waitsUntil = 0
  let isAgain = false
  let isBusy = false
  const look = async () => {
    const version = cacheVersion(ctx)
    const isNew = version !== told
    if (isBusy || Date.now() < waitsUntil || (!isNew && !(isAgain && Date.now() >= dueAt))) return
    isBusy = true
    const isTold = await sendPurge(ctx, cdn)
    isBusy = false
    dueAt = Date.now() + againMs
    waitsUntil = isTold ? 0 : Date.now() + retryMs
    if (!isTold) return
    isAgain = isNew
    told = version
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
): Promise<boolean> {
  const tags = changingTags.join(' ')
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'surrogate-key': tags,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ tags: changingTags }),
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
