import { cleanLine } from '#cli/clean.ts'
import type { Report } from '#cli/output.ts'

type Link = { answer: object; url: string; columns: Record<string, string> }

/** The address alone on its line, on a terminal too: it is there to be copied, and nothing may break it. */
export function linkReport({ answer, url, columns }: Link): Report {
  return {
    answer,
    sheet: () => ({ head: Object.keys(columns), rows: [Object.values(columns)] }),
    text: () => `${cleanLine(url)}\n`,
  }
}
