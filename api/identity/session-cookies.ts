import type { Context } from '#api/context.ts'
import { keyedHash } from '#api/secrets.ts'

/** Over https, both names get a `__Host-` prefix. */
export const sessionCookieBaseName = 'alliance_session'
const deviceCookieBaseName = 'alliance_device'
const codeCookieBaseName = 'alliance_code'

/** 400 days, the most browsers allow. */
const deviceSeconds = 400 * 24 * 60 * 60

/** `__Host-` ties the cookie to this host and https. It can't be set over plain http. */
const fullName = (ctx: Context, baseName: string) => (isSecure(ctx) ? `__Host-${baseName}` : baseName)
const isSecure = ({ settings }: Context) => settings.publicUrl.startsWith('https:')

export const sessionCookieName = (ctx: Context) => fullName(ctx, sessionCookieBaseName)
const codeCookieName = (ctx: Context) => fullName(ctx, codeCookieBaseName)
const deviceCookieName = (ctx: Context) => fullName(ctx, deviceCookieBaseName)

export const sessionCookie = (ctx: Context, token: string, seconds: number) =>
  toCookie(ctx, sessionCookieName(ctx), token, seconds)
export const endedSessionCookie = (ctx: Context) => toCookie(ctx, sessionCookieName(ctx), '', 0)
export const deviceCookie = (ctx: Context, token: string) => toCookie(ctx, deviceCookieName(ctx), token, deviceSeconds)

/** Identifies the browser that requested a login code, while the code is valid. */
export const codeCookie = (ctx: Context, token: string, seconds: number) =>
  toCookie(ctx, codeCookieName(ctx), token, seconds)

export const readCodeCookie = (ctx: Context, request: Request) => readCookie(request, codeCookieName(ctx))
export const readSessionCookie = (ctx: Context, request: Request) => readCookie(request, sessionCookieName(ctx))
export const readDeviceCookie = (ctx: Context, request: Request) => readCookie(request, deviceCookieName(ctx))

/** Lax, not Strict, because the return from a 3-D Secure page is cross-site. */
function toCookie(ctx: Context, name: string, value: string, seconds: number): string {
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure(ctx) ? '; Secure' : ''}`
  return `${name}=${value}; ${attributes}`
}

function readCookie(request: Request, name: string): string | undefined {
  const header = request.headers.get('cookie')
  return header === null ? undefined : (new Bun.CookieMap(header).get(name) ?? undefined)
}

export const sessionHash = (ctx: Context, token: string) => keyedHash(ctx, 'session', token)

export const apiTokenHash = (ctx: Context, token: string) => keyedHash(ctx, 'api-token', token)
