import type { Report } from '#cli/output.ts'
import type { Cell } from '#shared/rules/csv.ts'

/** What was done, for a program: people are told in a sentence. */
export const doneReport = (answer: Record<string, Cell>): Report => ({
  answer,
  sheet: () => ({ head: Object.keys(answer), rows: [Object.values(answer)] }),
  text: () => '',
})
