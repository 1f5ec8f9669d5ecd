import * as v from 'valibot'
import type { Sqlite } from '#api/db/open.ts'
import { type Check, checkedLater, failed, ok, warning } from './check.ts'

const StoredAccount = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ mode: v.picklist(['sandbox', 'test', 'live']), id: v.nullable(v.string()) }),
)

export type KeyFacts = {
  mode: 'sandbox' | 'test' | 'live'
  /** The account behind the key, or null where the provider cannot be asked. */
  askAccount(): Promise<string | null>
}

const name = 'payment account'

/** Whether the database belongs to the account of the key in the settings. */
export const checkProvider = (sqlite: Sqlite, key: KeyFacts): Promise<Check> =>
  checkedLater(name, () => compareAccounts(sqlite, key))

async function compareAccounts(sqlite: Sqlite, key: KeyFacts): Promise<Check> {
  const row = sqlite.prepare<[], { value: string }>("select value from settings where key = 'provider_account'").get()
  if (row === undefined) return ok(name, 'The database belongs to none yet; the first start decides.')
  const stored = v.safeParse(StoredAccount, row.value)
  if (!stored.success) return failed(name, 'What the database remembers of its account cannot be read.')
  const { mode, id } = stored.output
  if (mode !== key.mode) return failed(name, `The database belongs to ${mode}, the key in the settings to ${key.mode}.`)
  if (mode === 'sandbox') return ok(name, 'The payment sandbox.')
  const asked = await key.askAccount()
  if (asked === null) return warning(name, `The provider could not be asked whether the key is still of ${id ?? 'it'}.`)
  return asked === id || id === null
    ? ok(name, `${asked}, ${mode}.`)
    : failed(name, `The database belongs to account ${id}, the key in the settings to ${asked}.`)
}
