import type { OwnerLink } from '#shared/contract/auth.ts'
import { cleanLine } from '../clean.ts'
import type { Report } from '../output.ts'

/** The address alone on its line, on a terminal too: it is there to be copied, and nothing may break it. */
export function linkReport(link: OwnerLink): Report {
  return {
    answer: link,
    sheet: () => ({ head: ['email', 'url', 'expiresAt'], rows: [[link.email, link.url, link.expiresAt]] }),
    text: () => `${cleanLine(link.url)}\n`,
  }
}
