import { eq } from 'drizzle-orm'
import ipaddr from 'ipaddr.js'
import * as v from 'valibot'
import { type Context, perContext } from '#api/context.ts'
import { writeIfPossible } from '#api/db/busy.ts'
import type { HasDb } from '#api/db/query.ts'
import { settings } from '#api/db/schema/system.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import { canonicalAddress } from '#api/network-address.ts'
import type { Connection } from './client-address.ts'

const key = 'unknown_proxies'
const Addresses = v.array(v.string())

/** More say nothing new. */
const mostNamed = 5

const seenBy = perContext(() => new Set<string>())

/**
 * A neighbour that sends `X-Forwarded-For` is a proxy, and everyone behind one we don't trust counts as one visitor. Stored for
 * doctor, once for each. Strangers may send the header as well, so addresses of the internet don't count.
 */
export function noteUnknownProxy(ctx: Context, { request, server }: Connection): void {
  if (!request.headers.has('x-forwarded-for')) return
  const peer = canonicalAddress(server?.requestIP(request)?.address ?? '')
  const seen = seenBy(ctx)
  if (peer === null || seen.has(peer) || seen.size >= mostNamed) return
  if (ctx.settings.trustedProxies.includes(peer) || ipaddr.parse(peer).range() === 'unicast') return
  seen.add(peer)
  writeIfPossible(ctx, () => writeSetting(ctx, key, [...seen]))
}

/** At a start: the settings may have changed. */
export const forgetUnknownProxies = ({ db }: HasDb): unknown => db.delete(settings).where(eq(settings.key, key)).run()

export function unknownProxies(ctx: HasDb): string[] {
  const read = v.safeParse(Addresses, readSetting(ctx, key)?.value)
  return read.success ? read.output : []
}
