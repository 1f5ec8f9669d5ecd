type LogFields = Record<string, string | number | boolean | null | undefined>
export type Log = {
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

/** Writes one JSON object a line. Callers pass ids and codes, never names, addresses, tokens or bodies. */
export function createLog(write: (line: string) => void, now: () => Date): Log {
  const at = (level: string) => (message: string, fields?: LogFields) =>
    write(`${JSON.stringify({ at: now().toISOString(), level, message, ...fields })}\n`)
  return { info: at('info'), warn: at('warn'), error: at('error') }
}
