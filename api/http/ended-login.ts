import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { endedLogin } from './person-queries.ts'
import { readSessionCookie, sessionHash } from './session-cookies.ts'

/**
 * Refuses a login which another device, an owner, or the end of the account has ended, and tells the device to delete what it
 * keeps. Any other cookie says nothing.
 */
export function assertNotEndedElsewhere(ctx: Context, request: Request): void {
  const token = readSessionCookie(ctx, request)
  if (!token || endedLogin.get(ctx, { sid: sessionHash(ctx, token) }) === undefined) return
  const message = 'You were signed out on this device. Please log in to continue.'
  throw new AppError('unauthenticated', message, { wipe: true })
}
