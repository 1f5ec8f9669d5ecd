import type { Db } from '#api/db/open.ts'
import { findWrongTexts } from '#api/db/person-texts.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Check, failed, firstFew, named, ok, runCheck, runs } from './check-rules.ts'

/** Whether people are found by what their accounts say. Reads every one, so it's not for Today. */
export const checkSearch = (db: Db): Check => runCheck('search', () => findWrong(db))

function findWrong(db: Db): Check {
  const name = 'search'
  const wrong = findWrongTexts(db.$client)
  if (wrong.length === 0) return ok(name, 'Everyone is found by what their account says.')
  const remedy = runs('jobs run clean-up --all')
  const people = plural(wrong.length, 'account isn’t', 'accounts aren’t')
  const message = `${people} found by what they say: ${firstFew(wrong)}. Mend it with: alliance ${remedy.command}`
  return failed(name, message, named(remedy))
}
