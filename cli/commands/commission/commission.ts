import type { Command } from 'commander'
import type { Io } from '#cli/io.ts'
import { type RowGroup, registerGroups, registerRows } from '#cli/rows.ts'

export const commissionGroups: readonly RowGroup[] = [
  { names: ['list', 'pay', 'unpay'], load: async () => (await import('./months.ts')).commissionMonthRows },
  { names: ['statement', 'export'], load: async () => (await import('./statement.ts')).commissionStatementRows },
  { names: ['sales', 'add', 'delete'], load: async () => (await import('./sales.ts')).salesRows },
]

export async function registerCommission(commission: Command, io: Io): Promise<void> {
  const isOfRates = io.argv?.includes('rates') === true
  if (!isOfRates) await registerGroups(commissionGroups)(commission, io)
  registerRows(commission.command('rates'), io, (await import('./rates.ts')).rateRows)
}
