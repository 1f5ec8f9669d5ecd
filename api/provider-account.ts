import * as v from 'valibot'
import type { Context } from './context.ts'
import { readSetting, writeSetting } from './db/stored-settings.ts'
import { StartupError } from './settings.ts'
import { withProviderDeadline } from './stripe/deadline.ts'

const key = 'provider_account'

const Account = v.object({ mode: v.picklist(['sandbox', 'test', 'live']), id: v.nullable(v.string()) })
type Account = v.InferOutput<typeof Account>

/**
 * A database belongs to one Stripe account and mode. With another account's key, a sync would overwrite its rows as if everything
 * had been deleted. We always check the mode, and the account if Stripe can be reached.
 */
export async function assertProviderAccount(ctx: Context): Promise<void> {
  const { isProduction, isSandbox } = ctx.settings
  if (isProduction && (await import('./features/sandbox/seed-service.ts')).hasKnownPasswords(ctx)) {
    throw new StartupError(
      'This database has the sandbox’s accounts, whose passwords are public. Use a fresh DATA_DIR in production.',
    )
  }
  const known = assertSameMode(ctx)
  const id = isSandbox ? 'sandbox' : await readAccountId(ctx)
  if (known !== null && known.id !== null && id !== null && known.id !== id) throw wrongAccount(known)
  const account: Account = { mode: modeOf(ctx), id: id ?? known?.id ?? null }
  if (known?.id !== account.id || known.mode !== account.mode) writeSetting(ctx, key, account)
}

const modeOf = ({ settings }: Context) => (settings.isSandbox ? 'sandbox' : settings.isLive ? 'live' : 'test')

/** The check without a network request, for programs that open the database beside the server. Returns the stored account. */
export function assertSameMode(ctx: Context): Account | null {
  const known = storedAccount(ctx)
  if (known !== null && known.mode !== modeOf(ctx)) throw wrongAccount(known)
  return known
}

/** Whether this database's payments were real money, whatever the settings say now. */
export const isOfLiveMode = (ctx: Context): boolean => storedAccount(ctx)?.mode === 'live'

const wrongAccount = ({ mode, id }: Account) =>
  new StartupError(
    `This database belongs to another payment account (${mode} ${id ?? ''}). Use its key, or another DATA_DIR.`,
  )

/** The server doesn't listen until this is answered, so a hanging Stripe mustn't keep the site down for a minute. */
const patienceMs = 5_000

/** Null if Stripe can't be reached or is too slow. */
async function readAccountId(ctx: Context): Promise<string | null> {
  try {
    return (await withProviderDeadline(patienceMs, () => ctx.stripe.accounts.retrieveCurrent())).id
  } catch {
    ctx.log.warn('account not checked: we can’t reach Stripe')
    return null
  }
}

function storedAccount(ctx: Context): Account | null {
  const stored = readSetting(ctx, key)
  return stored === undefined ? null : v.parse(Account, stored.value)
}
