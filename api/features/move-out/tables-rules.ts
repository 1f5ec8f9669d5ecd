import { commitmentFiles } from './commitments-rules.ts'
import type { ExportedTable } from './exported-rules.ts'
import { moneyFiles } from './money-rules.ts'
import { peopleFiles } from './people-rules.ts'
import { questionTables } from './questions-rules.ts'
import { mediaFiles, videoTables } from './videos-rules.ts'
import { wordFiles } from './words-rules.ts'

/** In an order in which each file only refers to those before it. */
export const exportedTables: readonly ExportedTable[] = [
  ...mediaFiles,
  ...peopleFiles,
  ...videoTables,
  ...commitmentFiles,
  ...wordFiles,
  ...questionTables,
  ...moneyFiles,
]
