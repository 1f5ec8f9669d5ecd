import type { Command } from 'commander'
import type { Io } from '#cli/io.ts'
import { registerRows } from '#cli/rows.ts'
import { commissionMonthRows } from './months.ts'
import { rateRows } from './rates.ts'
import { salesRows } from './sales.ts'
import { commissionStatementRows } from './statement.ts'

export const commissionRows = [...commissionMonthRows, ...commissionStatementRows, ...salesRows]

export function registerCommission(commission: Command, io: Io): void {
  registerRows(commission, io, commissionRows)
  registerRows(commission.command('rates').description('Show and set each tier’s commission rate'), io, rateRows)
}
