import type { Context } from '#api/context.ts'

const isSecure = ({ settings }: Context) => settings.publicUrl.startsWith('https:')

/** `__Host-` binds the cookie to this host and to https; plain http cannot carry it. */
const named = (ctx: Context, name: string) => (isSecure(ctx) ? `__Host-${name}` : name)
export const sessionCookieName = (ctx: Context) => named(ctx, 'alliance_session')
export const deviceCookieName = (ctx: Context) => named(ctx, 'alliance_device')

function cookie(ctx: Context, name: string, value: string, maxAgeSeconds: number): string {
  // Lax, not Strict: the return from a 3-D Secure page comes from another site.
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${isSecure(ctx) ? '; Secure' : ''}`
}

export const sessionSeconds = 30 * 24 * 60 * 60
const deviceSeconds = 400 * 24 * 60 * 60

export const sessionCookie = (ctx: Context, token: string) => cookie(ctx, sessionCookieName(ctx), token, sessionSeconds)
export const endedSessionCookie = (ctx: Context) => cookie(ctx, sessionCookieName(ctx), '', 0)
export const deviceCookie = (ctx: Context, token: string) => cookie(ctx, deviceCookieName(ctx), token, deviceSeconds)
