import { registersRows } from '#cli/rows.ts'
import { move, set } from './change.ts'
import { list } from './list.ts'

export const tierRows = [list, set, move]

export const registerTiers = registersRows(tierRows)
