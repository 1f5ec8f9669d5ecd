import * as v from 'valibot'
import { withoutUnseen } from '#shared/values/unseen.ts'
import { honeypotName } from './form-labels.ts'

/** Every control character except tabs and line breaks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const controlCharacters = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/

/** A lone surrogate, which no keyboard produces. */
const halfCharacter = /\p{Surrogate}/u

const tidied = v.transform<string, string>((text) => withoutUnseen(text).replace(/\r\n?/g, '\n').trim())

/** A visible character; a zero-width space or braille's blank on its own doesn't count as filled in. */
export const visible = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u

/** Rejects control characters and lone surrogates. Every text field uses it. */
export const withoutControls = v.check<string, string>(
  (text) => !controlCharacters.test(text) && !halfCharacter.test(text),
  'Remove the hidden characters.',
)

/** Text without control characters, trimmed, up to `max` characters. It may be empty. */
export const Text = (max: number) =>
  v.pipe(v.string(), tidied, withoutControls, v.maxLength(max, `Use up to ${max} characters.`))

/** The name of the terms that were shown: their day, and a hash of them. The server names the current ones where it is absent. */
export const TermsVersion = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d-[0-9a-f]{16}$/, 'Read the terms again.'))

/** "Goals are required", "Business is required": a plural is a label that ends in a single s. */
const requiredMessage = (label: string) => `${label} ${/[^su]s$/.test(label) ? 'are' : 'is'} required`

export const RequiredText = (label: string, max = 200) =>
  v.pipe(
    v.string(requiredMessage(label)),
    tidied,
    withoutControls,
    v.regex(visible, requiredMessage(label)),
    v.maxLength(max, `Use up to ${max} characters.`),
  )

const OneLine = v.regex<string, string>(/^.*$/, 'Write this on one line.')

/** Tabs come along with anything copied from a table, and marks apart from their letters with what a Mac wrote. */
const onOneLine = v.transform<string, string>((text) => text.replaceAll('\t', ' ').normalize('NFC'))

/** Text on one line that may be empty. */
export const Line = (max: number) => v.pipe(Text(max), OneLine, onOneLine)

/** Required text on one line, such as a name or anything on an invoice. */
export const RequiredLine = (label: string, max = 200) => v.pipe(RequiredText(label, max), OneLine, onOneLine)

const filledInOrNull = (text: string) => (visible.test(text) ? text : null)

/** Optional text: absent, null and empty all become null. */
export const OptionalText = (max: number) =>
  v.optional(v.nullable(v.pipe(Text(max), v.transform(filledInOrNull))), null)

export const OptionalLine = (max: number) =>
  v.optional(v.nullable(v.pipe(Line(max), v.transform(filledInOrNull))), null)

/** One of `choices`, required; `label` starts the error message. */
export const RequiredChoice = <const Choice extends string>(label: string, choices: readonly Choice[]) =>
  v.picklist(choices, ({ input }) => (input ? 'Choose one of the answers.' : requiredMessage(label)))

/** One of `choices`, optional: absent, null and empty all become null. */
export const OptionalChoice = <const Choice extends string>(choices: readonly Choice[], message: string) =>
  v.optional(
    v.nullable(
      v.pipe(
        v.picklist(['', ...choices], message),
        v.transform((choice) => (choice === '' ? null : choice)),
      ),
    ),
    null,
  )

/**
 * The honeypot of a public form is a field people never see. Bots fill it in, but sometimes a password manager does too, so we set
 * such a form aside instead of rejecting it.
 */
export const honeypot = { [honeypotName]: v.optional(v.string(), '') }

/** Marks that come along with an address copied from a mail or an address book. None of them can be part of one. */
const unseenInAddress = /\p{Default_Ignorable_Code_Point}/gu

const noEmail = 'Please enter a valid email address'

/** An email address, trimmed and lower-cased. Accepts everything browsers do, as long as the host has a dot. */
export const Email = v.pipe(
  v.string(noEmail),
  v.transform((text) => text.replace(unseenInAddress, '')),
  v.trim(),
  v.toLowerCase(),
  // The checks that follow take their time on long texts.
  v.transform((text) => text.slice(0, 255)),
  v.maxLength(254, noEmail),
  v.rfcEmail(noEmail),
  v.regex(/^(?!\.)[^@]*[^.]@.+\.[a-z][a-z0-9-]*$/, noEmail),
)

/** UUIDv7, lower case. */
export const Id = v.pipe(
  v.string(),
  v.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, 'This isn’t a valid id.'),
)

/**
 * The years we accept in any typed or requested date. They're far from both ends of time, so adding or subtracting decades still
 * gives a four-digit year, which is how we store and compare dates.
 */
export const WithinYears = v.check<string, string>(
  (date) => Number(date.slice(0, 4)) >= 1900 && Number(date.slice(0, 4)) < 3000,
  'Give a year from 1900 to 2999.',
)

/**
 * ISO-8601 in UTC with at most three decimals, as any device's clock may say. Don't calculate with it: the year may be nonsense.
 */
export const ClockTime = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/, 'This isn’t a time in UTC.'),
  v.check((text) => !Number.isNaN(Date.parse(text)), 'This isn’t a time in UTC.'),
)

/** The same with a plausible year, such as 2026-07-12T07:40:00.000Z. */
export const Instant = v.pipe(ClockTime, WithinYears)

function isRealDay(day: string): boolean {
  const noon = new Date(`${day}T12:00:00Z`)
  return !Number.isNaN(noon.getTime()) && noon.toISOString().startsWith(day)
}

const notADay = 'This isn’t a date.'

/** A calendar day, YYYY-MM-DD. */
export const Day = v.pipe(v.string(notADay), v.isoDate(notADay), v.check(isRealDay, notADay), WithinYears)

/** A required day; `label` starts the error message. */
export const RequiredDay = (label: string) =>
  v.pipe(v.string(requiredMessage(label)), v.nonEmpty(requiredMessage(label)), Day)

/** A month of Europe/London, YYYY-MM. */
export const Month = v.pipe(
  v.string(),
  v.regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Give a month such as 2026-06.'),
  WithinYears,
)

/** A quarter of the calendar year, such as 2026-Q3. */
export const Quarter = v.pipe(v.string(), v.regex(/^\d{4}-Q[1-4]$/, 'Give a quarter such as 2026-Q3.'), WithinYears)

/** Whole pence. */
export const Pence = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.description('pence'), v.examples([5000]))

/** Pounds with at most two decimals. Only the few calls that docs/requirements.md gives in pounds use them. */
export const Pounds = v.pipe(
  v.number(),
  v.finite(),
  v.minValue(0),
  v.check((pounds) => Math.round(pounds * 100) / 100 === pounds, 'Use up to two decimals.'),
)

/** A list's query: up to `limit` rows after `cursor`. The `Link` header has the next page. */
export const Page = v.object({
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d+$/, 'This isn’t a whole number.'),
      v.transform(Number),
      v.integer(),
      v.minValue(1),
      v.maxValue(1000),
    ),
  ),
  cursor: v.optional(v.string()),
})

export function messagesByField(issues: readonly v.BaseIssue<unknown>[]): Record<string, string> {
  const messages: Record<string, string> = {}
  for (const issue of issues) messages[v.getDotPath(issue) ?? ''] ??= issue.message
  return messages
}
