import { eq, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { Db } from '#api/db/open.ts'
import { settings } from '#api/db/schema/system.ts'
import { type Check, failed, ok, runAsyncCheck, unset, warning } from '#api/features/operations/doctor/check-rules.ts'

const StoredAccount = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ mode: v.picklist(['sandbox', 'test', 'live']), id: v.nullable(v.string()) }),
)

export type ProviderKey = {
  mode: 'sandbox' | 'test' | 'live'
  /** The ID of its account, or null if Stripe doesn't respond. */
  requestAccount(): Promise<string | null>
}

const name = 'payment account'

/** Whether the database belongs to the same Stripe account as the key in the settings. */
export const checkProviderAccount = (db: Db, key: ProviderKey): Promise<Check> =>
  runAsyncCheck(name, () => compareAccounts(db, key))

async function compareAccounts(db: Db, key: ProviderKey): Promise<Check> {
  const row = db
    .select({ value: sql`${settings.value}`.mapWith(String) })
    .from(settings)
    .where(eq(settings.key, 'provider_account'))
    .get()
  if (row === undefined) return unset(name, 'None yet: the first server start decides.')
  const stored = v.safeParse(StoredAccount, row.value)
  if (!stored.success) return failed(name, 'Can’t read the stored account.')
  const { mode, id } = stored.output
  if (mode !== key.mode)
    return failed(name, `The database belongs to ${mode} mode, the key in the settings to ${key.mode}.`)
  if (mode === 'sandbox') return ok(name, 'The payment sandbox.')
  const current = await key.requestAccount()
  if (current === null) return warning(name, `Stripe didn’t respond, so account ${id ?? ''} wasn’t checked.`)
  return current === id || id === null
    ? ok(name, `${current}, ${mode} mode.`)
    : failed(name, `The database belongs to account ${id}, the key in the settings to ${current}.`)
}
