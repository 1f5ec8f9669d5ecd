import type { Context } from '#api/context.ts'
import { writeIfPossible } from '#api/db/busy.ts'
import { isDamaged } from '#api/db/damage.ts'
import type { EndingCause } from '#api/db/schema/sessions.ts'
import { AppError } from '#api/errors.ts'
import type { Person } from '#api/identity/person.ts'
import { endedLogin, markAsIn } from '#api/identity/person-queries.ts'
import { readSessionCookie, sessionHash } from '#api/identity/session-cookies.ts'
import { viewingOnly } from '#api/identity/session-use.ts'
import { areaHeader, type TokenScope } from '#shared/contract/auth.ts'
import { exportedFiles } from '#shared/contract/move-out.ts'

/** A token may always revoke itself. */
export function assertInScope({ method, url }: Request, scopes: readonly TokenScope[]): void {
  const needed = method === 'GET' || method === 'HEAD' ? 'read' : 'write'
  if (
    scopes.includes(needed) ||
    (scopes.includes('files') && isExportedFile(url)) ||
    new URL(url).pathname === '/api/auth/token'
  )
    return
  throw new AppError('forbidden', `This token can’t ${needed === 'read' ? 'read' : 'change'} anything.`)
}

const isExportedFile = (url: string) =>
  exportedFiles.some((file) => new URL(url).pathname === `/api/admin/exports/${file}`)

/** What an owner viewing as a member may still send. The sync is read-only then, which its service checks. */
const openWhileViewing = new Set(['/api/auth/logout', '/api/video-progress/sync'])

/** Read-only requests needn't look up the session. */
export function assertNotViewing({ method, url }: Request, person: () => { impersonator: object | null } | null): void {
  if (method === 'GET' || method === 'HEAD') return
  if (person()?.impersonator && !openWhileViewing.has(new URL(url).pathname)) throw viewingOnly()
}

/** Remembers which area an owner's browser has opened. Writes only when it's another one. */
export function recordArea(ctx: Context, { id, isAdmin, sid, lastInAdmin }: Person, { headers }: Request): void {
  const area = headers.get(areaHeader)
  if (!isAdmin || sid === null || area === null || isDamaged(ctx)) return
  const isInAdmin = area === 'admin'
  if (isInAdmin !== lastInAdmin) writeIfPossible(ctx, () => markAsIn.run(ctx, { id, lastInAdmin: isInAdmin }))
}

/** What we tell the person holding the device. It names no one, because the device may have changed hands. */
const endingSentences: Record<EndingCause, string> = {
  signed_out: 'We’ve logged you out, or you did on another device. Log in to get back to where you were.',
  password: 'Your password was changed, so we’ve logged out your other devices. Log in with the new one.',
  address:
    'A change of email address was undone, so we’ve logged out every device. Set a new password with “Forgot your password?” on the login page.',
  factor: 'Two-step login was changed, so we’ve logged out your other devices. Log in again.',
  access: 'We’ve switched off this account’s access and logged it out. Log in to see what you can do.',
  surplus:
    'You’ve logged in on too many other devices, so we’ve logged you out here. Log in to get back to where you were.',
  membership:
    'A membership was started with this account, so we’ve logged out every device and removed the password. Set a new one with “Forgot your password?” on the login page.',
  mailbox:
    'This account’s address was confirmed by email, so we’ve logged out every other device and removed the password. Set a new one with “Forgot your password?” on the login page.',
  removed: 'This account has been deleted, along with everything kept on this device.',
}

/** Rejects a login that was ended elsewhere, and tells the device to delete its data. Other invalid cookies are ignored. */
export function assertNotEndedElsewhere(ctx: Context, request: Request): void {
  const token = readSessionCookie(ctx, request)
  const ended = token ? endedLogin.get(ctx, { sid: sessionHash(ctx, token) }) : undefined
  if (ended) throw new AppError('unauthenticated', endingSentences[ended.cause], { wipe: true })
}
