import type { Context } from '#api/context.ts'
import { apiTokenHash, sessionHash } from '#api/http/session.ts'
import { sessionCookie, sessionSeconds } from '#api/http/session-cookies.ts'
import { newToken } from '#api/secrets.ts'

const after = (ctx: Context, seconds: number) => new Date(ctx.now().getTime() + seconds * 1000).toISOString()

/** A new login: a fresh token each time, so that none planted before is ever worth anything. Returns the cookie. */
export function startSession(ctx: Context, userId: string): string {
  const token = newToken()
  ctx.sqlite
    .prepare('insert into sessions (sid, sess, expire, userId, createdAt) values (?, ?, ?, ?, ?)')
    .run(sessionHash(ctx, token), '{}', after(ctx, sessionSeconds), userId, ctx.now().toISOString())
  return sessionCookie(ctx, token)
}

export function endSession(ctx: Context, sid: string): void {
  ctx.sqlite.prepare('delete from sessions where sid = ?').run(sid)
}

/** Ends every login and token of an account, but for the session named. */
export function endAllSessions(ctx: Context, userId: string, exceptSid: string | null = null): void {
  ctx.sqlite.prepare('delete from sessions where userId = ? and sid is not ?').run(userId, exceptSid)
  ctx.sqlite.prepare('delete from api_tokens where userId = ?').run(userId)
}

const tokenDays = 90

/** A token for the terminal, shown once. */
export function issueApiToken(ctx: Context, userId: string, name: string) {
  const token = newToken()
  const expiresAt = after(ctx, tokenDays * 86_400)
  ctx.sqlite
    .prepare('insert into api_tokens (id, userId, name, tokenHash, expiresAt, createdAt) values (?, ?, ?, ?, ?, ?)')
    .run(ctx.newId(), userId, name, apiTokenHash(ctx, token), expiresAt, ctx.now().toISOString())
  return { token, expiresAt }
}

export function revokeApiToken(ctx: Context, token: string): void {
  ctx.sqlite.prepare('delete from api_tokens where tokenHash = ?').run(apiTokenHash(ctx, token))
}
