import type { Server } from 'bun'
import type { Context } from '#api/context.ts'

type Connection = { request: Request; server: Server<unknown> | null }

/**
 * The address that counts for limits: the peer's, or, where the peer is a trusted proxy, the last one in
 * X-Forwarded-For that is not. Without a socket (requests made in this process) it is loopback.
 */
export function clientAddress(ctx: Context, { request, server }: Connection): string {
  const peer = server?.requestIP(request)?.address.replace(/^::ffff:/, '') ?? '127.0.0.1'
  if (!ctx.settings.trustedProxies.includes(peer)) return peer
  const forwarded = (request.headers.get('x-forwarded-for') ?? '').split(',').map((part) => part.trim())
  return forwarded.findLast((part) => part !== '' && !ctx.settings.trustedProxies.includes(part)) ?? peer
}
