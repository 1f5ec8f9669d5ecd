import type { ErrorCode } from '#shared/contract/error.ts'

export const exitCodes = { ok: 0, failed: 1, usage: 2, notFound: 3, notAllowed: 4, cancelled: 130 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Ends a command. The message goes to stderr; it's empty if the output already says what failed. */
export class CliError extends Error {
  readonly exitCode: ExitCode
  readonly fields: Readonly<Record<string, string>>
  /** The server's error code; undefined if this program refused. */
  readonly code: ErrorCode | undefined

  constructor(exitCode: ExitCode, message = '', fields: Readonly<Record<string, string>> = {}, code?: ErrorCode) {
    super(message)
    this.code = code
    this.exitCode = exitCode
    this.fields = fields
  }
}

/** For a file that broke off before its end. */
export const brokenFile = (error: unknown): CliError =>
  new CliError(
    exitCodes.failed,
    `The file is incomplete: writing stopped (${reasonFor(error)}). Delete it, look at alliance doctor, and run the command again.`,
  )

export function reasonFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

export const usageError = (message: string) => new CliError(exitCodes.usage, message)

export function exitCodeForStatus(status: number): ExitCode {
  if (status === 400 || status === 422) return exitCodes.usage
  if (status === 401 || status === 403) return exitCodes.notAllowed
  if (status === 404) return exitCodes.notFound
  return exitCodes.failed
}
