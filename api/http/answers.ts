import { ValidationError } from 'elysia'
import { ErrorBody } from '#shared/contract/error.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'

/** Every status that a refusal can carry, for a route's `response`. */
export const refusals = {
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
}

type ErrorAnswer = { status: number; body: ErrorBody; retryAfter?: number | undefined; cookie?: string | undefined }

/** Every failure in the one shape. What is unexpected is logged under its request id and says nothing of itself. */
export function errorAnswer(ctx: Context, error: unknown, requestId: string): ErrorAnswer {
  const known = toAppError(error)
  if (known === null) {
    ctx.log.error('unexpected failure', { requestId, name: errorName(error), stack: stackOf(error) })
    const message = 'Something went wrong on our side. Nothing you typed is lost; please try again.'
    return { status: 500, body: { error: { code: 'internal', message, requestId } } }
  }
  const { code, message, fields, retryAfter, status, cookie } = known
  const body: ErrorBody = { error: { code, message, ...(fields ? { fields } : {}), requestId } }
  return { status, body, retryAfter, cookie }
}

function toAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error
  if (error instanceof ValidationError) {
    // A wrong answer of ours is our fault, not the caller's.
    return error.type === 'response'
      ? null
      : new AppError('invalid', 'Please check the marked fields.', { fields: fieldsOf(error) })
  }
  const code = errorCode(error)
  if (code === 'NOT_FOUND') return new AppError('not_found', 'There is nothing at this address.')
  if (code === 'PARSE') return new AppError('malformed', 'The request could not be read.')
  return null
}

/** Field → its first sentence; never the value, which may be a password. */
function fieldsOf(error: ValidationError): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const issue of error.all) {
    const { path, message } = readIssue(issue)
    fields[path] ??= message
  }
  return fields
}

function readIssue(issue: unknown): { path: string; message: string } {
  const found = { path: 'body', message: 'Please check this field.' }
  if (typeof issue !== 'object' || issue === null) return found
  if ('message' in issue && typeof issue.message === 'string') found.message = issue.message
  if ('path' in issue && Array.isArray(issue.path)) {
    const keys = issue.path.map((part: unknown) =>
      String(typeof part === 'object' && part !== null && 'key' in part ? part.key : part),
    )
    if (keys.length > 0) found.path = keys.join('.')
  } else if ('path' in issue && typeof issue.path === 'string' && issue.path !== '') {
    found.path = issue.path.replace(/^\//, '').replaceAll('/', '.')
  }
  return found
}

function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}
const errorName = (error: unknown) => (error instanceof Error ? error.name : typeof error)
const stackOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : undefined)
