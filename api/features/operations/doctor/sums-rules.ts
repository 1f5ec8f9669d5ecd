import type { Db } from '#api/db/open.ts'
import { findWrongSums } from '#api/features/earnings/revenue/sums-service.ts'
import { type Check, failed, firstFew, named, ok, runCheck, runs } from './check-rules.ts'

/** Whether what months and MRR are read from is what their rows add up to. Reads every one, so it's not for Today. */
export const checkSums = (db: Db): Check => runCheck('sums', () => findWrong(db))

function findWrong(db: Db): Check {
  const name = 'sums'
  const wrong = findWrongSums({ db })
  if (wrong.length === 0) return ok(name, 'Every month and MRR are what their rows add up to.')
  const remedy = runs('jobs run month-end --all')
  const message = `Kept sums differ from their rows: ${firstFew(wrong)}. Add them up again with: alliance ${remedy.command}`
  return failed(name, message, named(remedy))
}
