import type { Check } from '#api/features/doctor/check-rules.ts'

/** `isSafe`: `doctor --fix` may run it once somebody has said yes; the others need a person who looks first. */
export type Mend = { command: string; isSafe: boolean; hasPlan: boolean }

const safe = (command: string): Mend => ({ command, isSafe: true, hasPlan: false })
/** It prints a plan of its own by `--dry-run`. */
const planned = (command: string): Mend => ({ command, isSafe: true, hasPlan: true })
const look = (command: string): Mend => ({ command, isSafe: false, hasPlan: false })

const mends: Record<string, (message: string) => Mend | null> = {
  migrations: (message) => (message.includes('not applied') ? planned('migrate') : null),
  integrity: (message) => (message.includes('sound now') ? safe('jobs run integrity') : look('backup list')),
  'foreign keys': () => look('backup list'),
  'document numbers': (message) => look(message.includes('invoices numbers') ? 'invoices numbers' : 'invoices lint'),
  'VAT invoices': (message) => (message.includes('no invoice') ? planned('invoices fix') : look('invoices lint')),
  commission: () => safe('jobs run month-end'),
  revenue: () => safe('jobs run month-end'),
  clock: (message) => {
    // A backup does not set the machine's clock right.
    if (message.startsWith('The server’s clock is')) return null
    return look(message.includes('mrr reopen') ? 'mrr reopen --dry-run' : 'backup list')
  },
  syncs: () => safe('subscriptions reconcile'),
  customers: (message) => look(/"alliance (subscriptions link [^"]+)"/.exec(message)?.[1] ?? 'mrr diff'),
  'provider events': () => safe('subscriptions reconcile'),
  subscriptions: () => look('mrr explain'),
  tiers: () => look('tiers list'),
  'failed payments': () => look('members list'),
  mail: (message) => look(`mail list --status ${/--status (\w+)/.exec(message)?.[1] ?? 'refused'}`),
  jobs: (message) => {
    const failed = /^([\w-]+) (failed|has not run)/.exec(message)?.[1]
    return failed === undefined ? look('jobs list') : safe(`jobs run ${failed}`)
  },
  'nightly backup': (message) => (message.includes(' failed: ') ? safe('jobs run backup') : look('backup list')),
  seller: () => look('settings check'),
  content: () => look('content check'),
}

/** What SQLite says of every check where it cannot read: a restart of the server may help, and none of the commands. */
const unread = 'disk I/O error'

/** The command that puts a finding right, or shows where; null where none of ours can. */
export const mendOf = ({ name, state, message }: Check): Mend | null =>
  state === 'ok' || message.startsWith(unread) ? null : (mends[name]?.(message) ?? null)
