export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

type LogFields = Record<string, string | number | boolean | null | undefined>
export type Log = {
  /** Each request and the like: too much for every day. */
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

/**
 * Writes one JSON object per line, from `least` up. Callers pass ids and codes, never names, addresses, tokens or bodies.
 */
export function createLog(write: (line: string) => void, now: () => Date, least: LogLevel = 'info'): Log {
  const at = (level: LogLevel) => {
    if (logLevels.indexOf(level) < logLevels.indexOf(least)) return () => {}
    return (message: string, fields?: LogFields) =>
      write(`${JSON.stringify({ at: now().toISOString(), level, message, ...fields })}\n`)
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

let isHeard = false

/** A line that can't be written, because the disk is full or its reader gone, is lost. Unheard, the error would end the process. */
export function writeLogLine(line: string): void {
  if (!isHeard) process.stderr.on('error', () => {})
  isHeard = true
  process.stderr.write(line)
}

/** The error's name only, for errors whose message may quote what a person typed. */
export const errorName = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The error's code, such as SQLITE_FULL or ENOENT. Empty if it has none. */
export const errorCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** An error's message as one line without control characters, safe to print in a terminal. */
export function errorText(error: unknown): string {
  return errorMessage(error)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, 500)
}
