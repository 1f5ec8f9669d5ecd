import { type ErrorCode, errorStatus } from '#shared/contract/error.ts'

/** A failure that a person may read. `message` is a sentence for him, `fields` names what to put right. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly retryAfter: number | undefined
  /** Starts a session although the call failed: the account was made on the way to the failure. */
  cookie: string | undefined

  constructor(code: ErrorCode, message: string, extra: { fields?: Record<string, string>; retryAfter?: number } = {}) {
    super(message)
    this.code = code
    this.fields = extra.fields
    this.retryAfter = extra.retryAfter
  }

  get status(): number {
    return errorStatus[this.code]
  }
}

export const notFound = (what = 'This') => new AppError('not_found', `${what} was not found.`)
