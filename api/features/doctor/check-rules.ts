export type Check = { name: string; state: 'ok' | 'warning' | 'failed'; message: string }

export const ok = (name: string, message: string): Check => ({ name, state: 'ok', message })
export const warning = (name: string, message: string): Check => ({ name, state: 'warning', message })
export const failed = (name: string, message: string): Check => ({ name, state: 'failed', message })

/** A check that throws has failed. */
export function runCheck(name: string, check: () => Check): Check {
  try {
    return check()
  } catch (error) {
    return failedBy(name, error)
  }
}

export async function runAsyncCheck(name: string, check: () => Promise<Check>): Promise<Check> {
  try {
    return await check()
  } catch (error) {
    return failedBy(name, error)
  }
}

const failedBy = (name: string, error: unknown) => failed(name, error instanceof Error ? error.message : String(error))

/** `a, b, c and 4 more`. */
export function firstFew(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}
