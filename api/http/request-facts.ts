import type { Server } from 'bun'
import type { Context } from '#api/context.ts'

type Facts = { request: Request; server: Server<unknown> | null }

/**
 * The address that counts for limits: the peer's, or, where the peer is a trusted proxy, the last one in
 * X-Forwarded-For that is not. Without a socket (requests made in this process) it is loopback.
 */
export function clientAddress(ctx: Context, { request, server }: Facts): string {
  const peer = server?.requestIP(request)?.address.replace(/^::ffff:/, '') ?? '127.0.0.1'
  if (!ctx.settings.trustedProxies.includes(peer)) return peer
  const forwarded = (request.headers.get('x-forwarded-for') ?? '').split(',').map((part) => part.trim())
  return forwarded.findLast((part) => part !== '' && !ctx.settings.trustedProxies.includes(part)) ?? peer
}

/** Origins that are ours: the public one and, outside production, this machine's own names. */
export function ownOrigins({ settings }: Context): string[] {
  const own = [new URL(settings.publicUrl).origin]
  if (!settings.isProduction) own.push(`http://localhost:${settings.port}`, `http://127.0.0.1:${settings.port}`)
  return own
}

/**
 * Whether a browser on one of our own pages sent this, or no browser at all. Links that only end a session may also come
 * from the `same-site`: the return from a payment page does.
 */
export function isFromOurselves(
  ctx: Context,
  request: Request,
  reach: 'same-origin' | 'same-site' = 'same-origin',
): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none' && site !== reach) return false
  const origin = request.headers.get('origin')
  return origin === null || ownOrigins(ctx).includes(origin)
}

/** Whether somebody goes to this address: a picture, a frame or a script that names it does not. */
export function isForPage(request: Request): boolean {
  const destination = request.headers.get('sec-fetch-dest')
  return destination === null || destination === 'document'
}

export function cookieOf(request: Request, name: string): string | undefined {
  const header = request.headers.get('cookie')
  if (header === null) return undefined
  for (const part of header.split(';')) {
    const [key, ...value] = part.trim().split('=')
    if (key === name) return value.join('=')
  }
  return undefined
}
