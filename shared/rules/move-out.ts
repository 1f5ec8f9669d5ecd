import { plural } from './plural.ts'

/** What a download of everything can't hold, and what to do about it. Empty if it holds everything. */
export function missingFromExport(missing: readonly string[]): string {
  if (missing.length === 0) return ''
  const it = missing.length === 1 ? 'it' : 'them'
  return `${plural(missing.length, 'file')} can’t be in it, because we can’t find ${it} on the server: ${missing.join(', ')}. Upload ${it} again in Media.`
}
