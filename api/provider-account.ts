import type { Context } from './context.ts'
import { isSeeded } from './features/sandbox/seed.ts'
import { UnsafeSettings } from './settings.ts'

const key = 'provider_account'

type Account = { mode: 'sandbox' | 'test' | 'live'; id: string | null }

/**
 * A database belongs to one account and mode of the payment provider: with another's keys its rows would be rewritten from
 * nothing. The mode is checked always, the account whenever the provider can be asked.
 */
export async function checkProviderAccount(ctx: Context): Promise<void> {
  const { settings } = ctx
  if (settings.isProduction && isSeeded(ctx) && !settings.allowsSandbox) {
    throw new UnsafeSettings(
      'This database holds the sandbox’s accounts and their known passwords. Use a fresh DATA_DIR in production.',
    )
  }
  const mode = modeOf(ctx)
  const known = refuseOtherMode(ctx)
  const now: Account = { mode, id: settings.isSandbox ? 'sandbox' : await askAccount(ctx) }
  if (known !== null && known.id !== null && now.id !== null && known.id !== now.id) throw belongsTo(known)
  ctx.sqlite
    .prepare(
      `insert into settings (key, value, updatedAt) values (?, ?, ?)
       on conflict (key) do update set value = excluded.value, updatedAt = excluded.updatedAt`,
    )
    .run(key, JSON.stringify({ mode, id: now.id ?? known?.id ?? null }), ctx.now().toISOString())
}

const modeOf = ({ settings }: Context) => (settings.isSandbox ? 'sandbox' : settings.isLive ? 'live' : 'test')

/** The half that needs no network: for whoever opens the file beside the server. Returns the account on record. */
export function refuseOtherMode(ctx: Context): Account | null {
  const known = readAccount(ctx)
  if (known !== null && known.mode !== modeOf(ctx)) throw belongsTo(known)
  return known
}

const belongsTo = ({ mode, id }: Account) =>
  new UnsafeSettings(
    `This database belongs to another payment account (${mode} ${id ?? ''}). Use its key, or another DATA_DIR.`,
  )

async function askAccount(ctx: Context): Promise<string | null> {
  try {
    return (await ctx.stripe.accounts.retrieveCurrent()).id
  } catch {
    ctx.log.warn('the payment provider could not be asked for its account')
    return null
  }
}

function readAccount(ctx: Context): Account | null {
  const row = ctx.sqlite.prepare<[string], { value: string }>('select value from settings where key = ?').get(key)
  return row ? JSON.parse(row.value) : null
}
