import type { ImportColumn, ImportOptions, MemberImportField } from '#shared/contract/imports.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { londonDay } from '#shared/rules/london.ts'

/**
 * Members' exports as far as known: the headings that tell each format from the others, and what its other headings mean. They
 * come from guides, so a file's own headings win: a field is filled by whichever of these names the file has.
 */
const formats: readonly (readonly [string, readonly string[]])[] = [
  ['kajabi', ['products', 'member id', 'email']],
  ['kajabi', ['kajabi subscription id', 'customer email']],
  ['memberful', ['memberful id', 'email']],
  ['ghost', ['subscribed to emails', 'email']],
  ['wordpress', ['user email']],
  ['pmpro', ['username', 'membership', 'expires']],
  ['memberpress', ['username', 'memberships', 'inactive memberships']],
]

export function formatOf(headings: readonly string[]): string {
  const known = new Set(headings.map(plain))
  return formats.find(([, named]) => named.every((heading) => known.has(heading)))?.[0] ?? 'table'
}

/** A heading without case and underscores: “Unsubscribed_At” is “unsubscribed at”. */
const plain = (heading: string) =>
  heading
    .replace(/[\s_\uFEFF]+/g, ' ')
    .trim()
    .toLowerCase()

/** In order: of those the file has, the first with something in it fills the field. */
const headingsOf: Record<MemberImportField, readonly string[]> = {
  email: [
    ...['email', 'e-mail', 'email address', 'user email', 'e-mail address', 'mail', 'customer email', 'subscriber'],
    ...['e-mail 1 - value', 'email 1 - value'],
  ],
  name: ['name', 'full name', 'display name', 'customer name'],
  firstName: ['first name', 'firstname', 'forename', 'given name'],
  lastName: ['last name', 'lastname', 'surname', 'family name'],
  phone: [
    ...['mobile phone number (mobile phone number)', 'phone number (phone number)', 'mobile', 'mobile number', 'phone'],
    ...['phone number', 'telephone', 'billing phone', 'tel', 'mobile phone', 'business phone', 'phone 1 - value'],
  ],
  businessName: [
    'business name',
    'business',
    'company',
    'company name',
    'billing company',
    'organization name',
    'account name',
  ],
  trade: ['trade', 'occupation', 'profession'],
  joined: [
    ...['created at', 'joined', 'user registered', 'registered', 'member since', 'signup date', 'joined at'],
    ...['date created', 'date added', 'subscription date', 'subscription time', 'optin time', 'patronage since date'],
  ],
  paidUntil: [
    ...['paid until', 'expiration date', 'expires', 'expiry', 'expiry date', 'expires at', 'next payment date'],
    ...['access expiration', 'next charge date', 'current period end'],
  ],
  complimentary: ['complimentary plan', 'complimentary', 'comped'],
  subscribed: [
    ...['subscribed to emails', 'subscribed', 'email marketing', 'marketing consent', 'email marketing consent'],
    ...['accepts email marketing', 'accepts marketing', 'newsletter', 'opted in'],
  ],
  blocked: [],
  lessonsDone: ['lessons done', 'lessons completed', 'completed lessons', 'completed'],
  plan: [
    ...['plan', 'plan name', 'membership', 'memberships', 'membership level', 'membership plan', 'tiers', 'tier'],
    ...['offer title', 'products'],
  ],
  note: ['note', 'notes', 'labels', 'tags', 'products', 'plan', 'membership', 'memberships', 'tiers', 'offer title'],
}

/**
 * Programs have many names for “unsubscribed or bounced”, and one that's missed would send someone mail they've refused. Every line of
 * a file may have the address of a page to unsubscribe at.
 */
const isBlockHeading = (heading: string): boolean =>
  /\bunsub|\bopt(ed)? ?-?outs?\b|\bbounced?\b|\bcomplain|\bspam\b|\b(suppress|black ?list|block ?list)ed\b|^clean(ed)?( time| at| on| date)?$|\bemail disabled$|^deleted at$|^((e-?mail|subscri\w+|list|global|marketing|e-?mail marketing|e-?mail subscri\w+) )?status$/.test(
    heading,
  ) &&
  !/\b(reason|campaign|ids?|link|url|page|token|hash|key|code|ip|counts?|rate|score|sms|phone|whatsapp)\b/.test(heading)

/** Kit's “state” says whether someone's still on the list. Beside a town or postcode it's where they live. */
const isKitState = (heading: string, known: readonly string[]): boolean =>
  heading === 'state' && !known.some((one) => /\b(city|town|zip|post ?code|postal|country|county|street)\b/.test(one))

const fields = Object.keys(headingsOf) as MemberImportField[]

/** The columns of each field, by the owner's choice or else by name. */
export type FieldColumns = Partial<Record<MemberImportField, number[]>>

export function findColumns(headings: readonly string[], { columns }: ImportOptions): FieldColumns {
  const known = headings.map(plain)
  const found: FieldColumns = {}
  for (const field of fields) {
    const chosen = columns[field]
    const names = chosen === undefined ? headingsOf[field] : [plain(chosen)]
    // A spreadsheet may have two columns of one name.
    const at = names.flatMap((name) => known.flatMap((heading, index) => (heading === name ? [index] : [])))
    if (field === 'blocked' && chosen === undefined)
      at.push(
        ...known.flatMap((heading, index) => (isBlockHeading(heading) || isKitState(heading, known) ? [index] : [])),
      )
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
    return field !== 'note' || (options.keepsNotes && !isSecretHeading(headings[index] ?? '')) ? field : null
  }
  return headings.map(
    (heading, index): ImportColumn => ({
      heading: heading.trim().slice(0, 200),
      field: fieldAt(index),
      sample:
        isSecretHeading(heading) || isSecret(sample[index] ?? '') ? '' : (sample[index] ?? '').trim().slice(0, 80),
    }),
  )
}

/**
 * Columns whose cells can be kept as a note: those of notes, and those that no field takes. The old program's own id says nothing
 * here, and what opens a door is kept nowhere.
 */
export function notedColumns(
  headings: readonly string[],
  { note = [], plan: _plan, ...found }: FieldColumns,
): number[] {
  const taken = new Set(Object.values(found).flat())
  return headings
    .flatMap((heading, index) =>
      plain(heading) === 'id' || isSecretHeading(heading) || taken.has(index) || note.includes(index) ? [] : [index],
    )
    .concat(note.filter((index) => !isSecretHeading(headings[index] ?? '')))
}

const isSecretHeading = (heading: string): boolean =>
  /\b(pass|password|passwd|passphrase|pwd|pin|secret|tokens?|hash|salt|session|2fa|mfa|totp|otp|cvv2?|cvc2?|iban)\b|\b(api|activation|access|private|reset|security|licen[cs]e|stream|session) (key|code)s?\b|\bkey$|\b(card|account) (number|no)\b|\bsort code\b|(password|passwd|token|secret)s?$/.test(
    plain(heading),
  )

/** What opens a door, under whatever heading: a hashed password, a key of a program's, a token. */
export const isSecret = (text: string): boolean =>
  /^\$(P|H|wp|2[abxy]|argon2\w*|pbkdf2[\w-]*|scrypt|[156])\$|^\{?(SSHA\d*|bcrypt|PBKDF2)\b|^(sk|rk|pk|whsec|xox[a-z]|gh[a-z]|glpat)[_-]\w{8}|^eyJ[\w-]+\.[\w-]+\.|^[0-9a-f]{32}(?:[0-9a-f]{8}(?:[0-9a-f]{24})?)?$/i.test(
    text.trim(),
  )

export const isYes = (text: string): boolean => /^(yes|true|1|y|on|subscribed|active)$/i.test(text.trim())

/** Said, and not only left empty. */
export const isNo = (text: string): boolean =>
  /^(no|false|0|n|off|none|never|unsubscribed|inactive)$/i.test(text.trim())

export type Block = 'complained' | 'bounced' | 'unsubscribed'

/**
 * Why an address must not be written to, as one column says: a word of its own, or anything but a no under a heading that has one. In
 * a column that an owner chose for it, anything but a no.
 */
export function blockOf(text: string, heading: string, isChosen = false): Block | null {
  const said = text.trim().toLowerCase()
  if (/^(|no|false|0|n|-|–|none|never|active|subscribed|deliverable|ok)$/.test(said) || isNothing.test(said))
    return null
  if (plain(heading) === 'state' && /^cancell?ed$/.test(said)) return 'unsubscribed'
  return blockWord(said) ?? blockWord(plain(heading)) ?? (isChosen ? 'unsubscribed' : null)
}

/** An empty cell, as databases write it. */
const isNothing = /^(null|\\n|n\/a|0000-00-00.*)$/

/** A column of who agreed may say it too. A no there is a no and nothing more. */
export function bounceOf(text: string): Block | null {
  const block = blockWord(text.trim().toLowerCase())
  return block === 'unsubscribed' ? null : block
}

function blockWord(words: string): Block | null {
  if (/complain|spam|abuse/.test(words)) return 'complained'
  if (/bounce|undeliver|invalid|\bclean/.test(words)) return 'bounced'
  return /unsub|suppress|opt(ed)?.{0,2}out|(black|block) ?list|^inactive$|\bdisabled$|^deleted at$/.test(words)
    ? 'unsubscribed'
    : null
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

/**
 * A day as exports write them: ISO (`2026-11-24`, `2026/11/24`), British (`24/11/2026`, `24-11-26`), in words (`24 Nov 2026`,
 * `November 24th, 2026`), or a spreadsheet's own number of it (`46350`).
 */
export function readDay(text: string): string | null {
  const said = text.trim()
  const number = /^(\d{5})(?:\.\d+)?$/.exec(said)
  if (number) return sheetDay(Number(number[1]))
  const iso =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.\d+)?\s*(Z|UTC|[+-]\d\d:?\d\d)?)?/.exec(said)
  if (iso) return isoDay(iso)
  const british = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?!\d)/.exec(said)
  if (british) return dayOf(yearOf(british[3]), british[2], british[1])
  const worded = /^(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3})[a-z]*[ -](\d{4}|\d{2})(?!\d)/i.exec(said)
  if (worded) return dayOf(yearOf(worded[3]), monthOf(worded[2]), worded[1])
  const american = /^([a-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})/i.exec(said)
  return american ? dayOf(american[3], monthOf(american[1]), american[2]) : null
}

/** Days since the last one of 1899, as Excel and its kind count. Others of five digits are postcodes and the like. */
function sheetDay(days: number): string | null {
  if (days < 20_000 || days > 80_000) return null
  return new Date(Date.UTC(1899, 11, 30) + days * dayMs).toISOString().slice(0, 10)
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
  const at = new Date(`${year}-${month?.padStart(2, '0')}-${date?.padStart(2, '0')}T${time}${offset}`)
  return Number.isNaN(at.getTime()) ? null : inRange(londonDay(at))
}

/** Programs write 9999 for “never” and 0001 for “not set”. A year of five digits is no time that could be stored. */
const inRange = (day: string): string | null => (day >= '1900' && day < '3000' ? day : null)

function dayOf(year = '', month = '', date = ''): string | null {
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  const noon = new Date(`${day}T12:00:00Z`)
  return !Number.isNaN(noon.getTime()) && noon.toISOString().startsWith(day) ? inRange(day) : null
}

/** The videos of a cell, by title or id: separated by semicolons, bars or line breaks. */
export const videosOf = (text: string): string[] =>
  text
    .split(/[;|\n]/)
    .map((one) => one.trim())
    .filter(Boolean)
