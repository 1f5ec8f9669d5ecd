import { registersRows } from '#cli/rows.ts'
import { syncRow } from './subscriptions.ts'

export const syncRows = [syncRow('<id-or-email>')]

export const registerSync = registersRows(syncRows)
