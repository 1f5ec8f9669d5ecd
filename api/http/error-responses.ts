import { ParseError, ValidationError } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { busyError } from '#api/db/busy.ts'
import { damageOf, isDamageLasting, recordIfDamage } from '#api/db/damage.ts'
import { isBusyError, isDamageError, isStorageError, isWriteRefused } from '#api/db/sqlite-errors.ts'
import { recordIfUnwritable } from '#api/db/storage.ts'
import { AppError } from '#api/errors.ts'
import { errorCodeOf } from '#api/log.ts'
import { ErrorBody } from '#shared/contract/error.ts'

export const errorResponses = {
  400: ErrorBody,
  401: ErrorBody,
  402: ErrorBody,
  403: ErrorBody,
  404: ErrorBody,
  409: ErrorBody,
  413: ErrorBody,
  415: ErrorBody,
  422: ErrorBody,
  429: ErrorBody,
  500: ErrorBody,
  502: ErrorBody,
  503: ErrorBody,
}

type ErrorResponse = { status: number; body: ErrorBody; retryAfter?: number | undefined }

/** Turns any error into the shape clients know. An unexpected one is logged, and the response gives nothing away. */
export function errorResponse(ctx: Context, error: unknown, requestId: string): ErrorResponse {
  const known = recordError(ctx, error, requestId)
  if (known === null) {
    const message = 'Something went wrong on our side. What you typed is safe. Try again.'
    return { status: 500, body: { error: { code: 'internal', message, requestId } } }
  }
  const { code, message, fields, versions, slots, tiers, from, wipe, retryAfter, status } = known
  const extra = {
    ...(fields ? { fields } : {}),
    ...(versions ? { versions } : {}),
    ...(slots ? { slots } : {}),
    ...(tiers ? { tiers } : {}),
    ...(from ? { from } : {}),
    ...(wipe ? { wipe } : {}),
  }
  return { status, body: { error: { code, message, ...extra, requestId } }, retryAfter }
}

/** Records a database fault if the error shows one. Logs an unexpected error and returns null for it. */
export function recordError(ctx: Context, error: unknown, requestId: string): AppError | null {
  recordIfDamage(ctx, error)
  recordIfUnwritable(ctx, error)
  const known = toAppError(error) ?? whileNotWritable(ctx, error)
  if (known === null) ctx.log.error('unexpected failure', { requestId, ...logFieldsOf(error) })
  return known
}

function toAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error
  // Elysia wraps errors thrown while reading the body.
  if (error instanceof ParseError && error.cause instanceof AppError) return error.cause
  if (error instanceof ValidationError) {
    // A response that doesn't match its schema is our bug, not the client's.
    return error.type === 'response'
      ? null
      : new AppError('invalid', 'Check the marked fields.', { fields: fieldsOf(error) })
  }
  if (isBusyError(error)) return busyError()
  const code = errorCodeOf(error)
  if (code === 'NOT_FOUND') return new AppError('not_found', 'There’s nothing at this address.')
  if (code === 'PARSE') return new AppError('malformed', 'We couldn’t read the request.')
  return null
}

/**
 * A damaged database is read-only until it's restored or found sound, and a full disk until there's room. Our forms and ticks
 * keep their data and retry. A person at this machine is told what to do.
 */
function whileNotWritable(ctx: Context, error: unknown): AppError | null {
  const damage = damageOf(ctx)
  const isKnown = damage === null ? isStorageError(error) : isDamageError(error) || isWriteRefused(error)
  if (!isKnown) return null
  const trouble = isDamageError(error) ? 'We can’t read this right now.' : 'We can’t save anything right now.'
  const message = `${trouble} Try again in a few minutes.`
  const toOwner = ctx.localActor === undefined ? null : damage
  return new AppError('busy', toOwner ?? message, { retryAfter: isDamageLasting(ctx) ? 600 : 60 })
}

/** The first message for each field. Never the value, which may be a password. */
function fieldsOf(error: ValidationError): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const issue of issuesOf(error)) fields[v.getDotPath(issue) ?? 'body'] ??= issue.message
  return fields
}

/** Validates again with our own messages: Elysia's list loses the paths, and Valibot's messages repeat the value. */
function issuesOf({ validator, value }: ValidationError): v.BaseIssue<unknown>[] {
  const schema = schemaOf(validator)
  const message = ({ input, type, expected }: v.BaseIssue<unknown>) => {
    if (type === 'strict_object' && expected === 'never') return 'There’s no such field here.'
    return input === undefined ? 'Fill in this field.' : 'Check this field.'
  }
  return isSchema(schema) ? (v.safeParse(schema, value, { message }).issues ?? []) : []
}

const schemaOf = (validator: unknown) =>
  typeof validator === 'object' && validator !== null && 'schema' in validator ? validator.schema : validator

const isSchema = (value: unknown): value is v.GenericSchema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'

/** The parts of an error that are safe to log. Schema errors repeat the rejected value, so we only name its fields. */
function logFieldsOf(error: unknown): { name: string; reason: string; stack?: string } {
  if (!(error instanceof Error)) return { name: typeof error, reason: String(error) }
  const stack = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return { name: error.name, reason: reasonOf(error), stack: stack.join('\n') }
}

function reasonOf(error: Error): string {
  if (error instanceof ValidationError) return `does not fit: ${Object.keys(fieldsOf(error)).join(', ')}`
  if (v.isValiError(error)) return `does not fit: ${error.issues.map((issue) => v.getDotPath(issue)).join(', ')}`
  return error.message
}

/** Where to log in, for a browser that opens a document's address without a login. Null for other errors, and for programs. */
export function loginRedirect(request: Request, path: string, error: unknown): string | null {
  const isDocument = /^\/(api\/billing\/(invoices|credit-notes)\/.|sandbox(\/mail(\/[\w-]+)?)?$)/.test(path)
  const isBrowser = (request.headers.get('accept') ?? '').includes('text/html')
  const isLoggedOut = error instanceof AppError && error.code === 'unauthenticated'
  return isDocument && isBrowser && isLoggedOut ? `/login?${new URLSearchParams({ redirect: path })}` : null
}
