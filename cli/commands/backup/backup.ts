import { type CommandRow, registersRows } from '#cli/rows.ts'
import { keepingRows } from './keep.ts'
import { makingRows } from './make.ts'

export const backupRows: readonly CommandRow[] = [...makingRows, ...keepingRows]

export const registerBackup = registersRows(backupRows)
