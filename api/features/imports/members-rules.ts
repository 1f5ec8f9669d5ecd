import type { ImportColumn, ImportOptions, MemberImportField } from '#shared/contract/imports.ts'
import { londonDay } from '#shared/rules/london.ts'

/**
 * Members' exports as far as known: the headings that tell each format from the others, and what its other headings mean. They
 * come from guides, so a file's own headings win: a field is filled by whichever of these names the file has.
 */
const formats: readonly (readonly [string, readonly string[]])[] = [
  ['kajabi', ['products', 'member id', 'email']],
  ['kajabi', ['kajabi subscription id', 'customer email']],
  ['memberful', ['memberful id', 'email']],
  ['ghost', ['subscribed_to_emails', 'email']],
  ['wordpress', ['user_email']],
  ['pmpro', ['username', 'membership', 'expires']],
  ['memberpress', ['username', 'memberships', 'inactive_memberships']],
]

export function formatOf(headings: readonly string[]): string {
  const known = new Set(headings.map(plain))
  return formats.find(([, named]) => named.every((heading) => known.has(heading)))?.[0] ?? 'table'
}

const plain = (heading: string) => heading.trim().toLowerCase().replace(/\s+/g, ' ')

/** In order: of those the file has, the first with something in it fills the field. */
const headingsOf: Record<MemberImportField, readonly string[]> = {
  email: ['email', 'e-mail', 'email address', 'user_email', 'e-mail address', 'mail', 'customer email'],
  name: ['name', 'full name', 'display_name', 'full_name', 'customer name'],
  firstName: ['first name', 'first_name', 'firstname', 'forename', 'given name'],
  lastName: ['last name', 'last_name', 'lastname', 'surname', 'family name'],
  phone: [
    ...['mobile phone number (mobile_phone_number)', 'phone number (phone_number)', 'mobile', 'mobile number', 'phone'],
    ...['phone number', 'telephone', 'billing phone', 'billing_phone', 'tel'],
  ],
  businessName: ['business name', 'business', 'company', 'company name', 'billing_company'],
  trade: ['trade', 'occupation', 'profession'],
  joined: ['created at', 'created_at', 'joined', 'user_registered', 'registered', 'member since', 'signup date'],
  paidUntil: ['paid until', 'expiration date', 'expires', 'expiry', 'expiry date', 'expires at', 'next payment date'],
  complimentary: ['complimentary_plan', 'complimentary', 'comped'],
  subscribed: ['subscribed_to_emails', 'subscribed', 'email marketing', 'marketing consent', 'newsletter', 'opted in'],
  blocked: ['email status', 'email_status', 'bounced', 'unsubscribed', 'unsubscribed at', 'suppressed', 'complained'],
  lessonsDone: ['lessons done', 'lessons completed', 'completed lessons', 'completed'],
  note: ['note', 'notes', 'labels', 'tags', 'products', 'plan', 'membership', 'memberships', 'tiers', 'offer title'],
}

const fields = Object.keys(headingsOf) as MemberImportField[]

/** The columns of each field, by the owner's choice or else by name. */
export type FieldColumns = Partial<Record<MemberImportField, number[]>>

export function findColumns(headings: readonly string[], { columns }: ImportOptions): FieldColumns {
  const known = headings.map(plain)
  const found: FieldColumns = {}
  for (const field of fields) {
    const chosen = columns[field]
    const names = chosen === undefined ? headingsOf[field] : [plain(chosen)]
    const at = names.map((name) => known.indexOf(name)).filter((index) => index >= 0)
    if (at.length > 0 && chosen !== '') found[field] = at
  }
  return found
}

/** A heading the owner named that isn't in the file. */
export const missingHeading = (headings: readonly string[], { columns }: ImportOptions): string | null =>
  Object.values(columns).find((name) => name !== '' && !headings.map(plain).includes(plain(name))) ?? null

type Layout = { headings: readonly string[]; columns: FieldColumns; options: ImportOptions }

export function describeColumns({ headings, columns, options }: Layout, sample: readonly string[]) {
  const fieldAt = (index: number) => {
    const field = fields.find((one) => columns[one]?.includes(index)) ?? 'note'
    return field !== 'note' || options.keepsNotes ? field : null
  }
  return headings.map(
    (heading, index): ImportColumn => ({
      ...{ heading: heading.trim().slice(0, 200), field: fieldAt(index) },
      sample: (sample[index] ?? '').trim().slice(0, 80),
    }),
  )
}

/** Columns no field takes. Their cells can be kept as a note. The old program's own id says nothing here. */
export const otherColumns = (headings: readonly string[], found: FieldColumns): number[] =>
  headings.flatMap((heading, index) =>
    plain(heading) === 'id' || Object.values(found).flat().includes(index) ? [] : [index],
  )

export const isYes = (text: string): boolean => /^(yes|true|1|y|on|subscribed|active)$/i.test(text.trim())

/** Said, and not only left empty. */
export const isNo = (text: string): boolean =>
  /^(no|false|0|n|off|none|never|unsubscribed|inactive)$/i.test(text.trim())

export type Block = 'complained' | 'bounced' | 'unsubscribed'

/** Why an address must not be written to, as one column says: a word of its own, or anything but a no under a heading that has one. */
export function blockOf(text: string, heading: string): Block | null {
  const said = text.trim().toLowerCase()
  if (said === '' || /^(no|false|0|n|none|never|active|subscribed|deliverable|ok)$/.test(said)) return null
  return blockWord(said) ?? blockWord(heading.toLowerCase())
}

function blockWord(words: string): Block | null {
  if (/complain|spam|abuse/.test(words)) return 'complained'
  if (/bounce|undeliver|invalid/.test(words)) return 'bounced'
  return /unsub|suppress|opt.?out|cleaned/.test(words) ? 'unsubscribed' : null
}

const strictest: readonly Block[] = ['complained', 'bounced', 'unsubscribed']

/** What all such columns of a row come to. */
export const strictestBlock = (blocks: readonly (Block | null)[]): Block | null =>
  strictest.find((one) => blocks.includes(one)) ?? null

export function splitName(name: string): { firstName: string; lastName: string } {
  const [firstName = '', ...rest] = name.trim().split(/\s+/)
  return { firstName, lastName: rest.join(' ') }
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** A day as exports write them: ISO, British (`24/11/2026`, `24-11-26`), or in words (`24 Nov 2026`, `Nov 24, 2026`). */
export function readDay(text: string): string | null {
  const said = text.trim()
  const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.\d+)?\s*(Z|UTC|[+-]\d\d:?\d\d)?)?/.exec(said)
  if (iso) return isoDay(iso)
  const british = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?!\d)/.exec(said)
  if (british) return dayOf(yearOf(british[3]), british[2], british[1])
  const worded = /^(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3})[a-z]*[ -](\d{4}|\d{2})(?!\d)/i.exec(said)
  if (worded) return dayOf(yearOf(worded[3]), monthOf(worded[2]), worded[1])
  const american = /^([a-z]{3})[a-z]* (\d{1,2}),? (\d{4})/i.exec(said)
  return american ? dayOf(american[3], monthOf(american[1]), american[2]) : null
}

/** Read with the month first. It's the same text where no two numbers come first. */
const turned = (text: string) => text.trim().replace(/^(\d{1,2})([/.-])(\d{1,2})(?=[/.-])/, '$3$2$1')

/** An American day that can't be read the British way round: `12/31/2026`. */
export const isMonthFirst = (text: string): boolean => readDay(text) === null && readDay(turned(text)) !== null

/** `03/04/2026` is another day with the month first. `04/04/2026` isn't, and neither is an ISO one. */
export function isAmbiguous(text: string): boolean {
  const other = readDay(turned(text))
  return other !== null && readDay(text) !== null && other !== readDay(text)
}

/** Spreadsheets show `1/2/27` unless they're told otherwise. */
const yearOf = (year = '') => (year.length === 2 ? `20${year}` : year)

const monthOf = (word = '') => String(months.indexOf(word.toLowerCase()) + 1)

function isoDay([, year, month, date, time, zone]: RegExpExecArray): string | null {
  const offset = zone === undefined || zone === 'UTC' ? 'Z' : zone.replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2')
  if (time === undefined) return dayOf(year, month, date)
  const at = new Date(`${year}-${month}-${date}T${time}${offset}`)
  return Number.isNaN(at.getTime()) ? null : londonDay(at)
}

function dayOf(year = '', month = '', date = ''): string | null {
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  const noon = new Date(`${day}T12:00:00Z`)
  return !Number.isNaN(noon.getTime()) && noon.toISOString().startsWith(day) ? day : null
}

/** The lessons of a cell, by title or id: separated by semicolons, bars or line breaks. */
export const lessonsOf = (text: string): string[] =>
  text
    .split(/[;|\n]/)
    .map((one) => one.trim())
    .filter(Boolean)
