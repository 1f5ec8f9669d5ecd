export const exitCodes = { done: 0, failed: 1, usage: 2, notFound: 3, notAllowed: 4, cancelled: 130 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Ends a command: `message` is the one line that the person reads; empty where the data already said it. */
export class Stop extends Error {
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, message = '') {
    super(message)
    this.exitCode = exitCode
  }
}

export const wrongUsage = (message: string) => new Stop(exitCodes.usage, message)

export function exitCodeOfStatus(status: number): ExitCode {
  if (status === 400 || status === 422) return exitCodes.usage
  if (status === 401 || status === 403) return exitCodes.notAllowed
  if (status === 404) return exitCodes.notFound
  return exitCodes.failed
}
