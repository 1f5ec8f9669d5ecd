export type Check = { name: string; state: 'ok' | 'warning' | 'failed'; says: string }

export const ok = (name: string, says: string): Check => ({ name, state: 'ok', says })
export const warning = (name: string, says: string): Check => ({ name, state: 'warning', says })
export const failed = (name: string, says: string): Check => ({ name, state: 'failed', says })

/** A check that cannot even be made has failed. */
export function checked(name: string, work: () => Check): Check {
  try {
    return work()
  } catch (error) {
    return notMade(name, error)
  }
}

export async function checkedLater(name: string, work: () => Promise<Check>): Promise<Check> {
  try {
    return await work()
  } catch (error) {
    return notMade(name, error)
  }
}

const notMade = (name: string, error: unknown) => failed(name, error instanceof Error ? error.message : String(error))

/** 1 mail, 2 mails. */

/** The first few of a list by name, the rest by number. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}
