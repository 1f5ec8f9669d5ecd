import { getTableColumns } from 'drizzle-orm'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { coachingApplications, coachingBookings, contacts } from '#api/db/schema/forms.ts'
import page from '#data/content/pages/coaching-application.json' with { type: 'json' }
import { CoachingApplicationForm, CoachingApplicationRequest } from '#shared/contract/coaching.ts'
import { CoachingBookingRequest } from '#shared/contract/coaching-booking.ts'
import { ContactRequest } from '#shared/contract/contact.ts'
import { coachingChoices } from '#shared/contract/form-labels.ts'
import { CoachingApplicationText } from '#shared/contract/texts/coaching-application.ts'

/** Columns only the server fills in. All others come from the form. */
const byTheServer = [
  ...['id', 'status', 'createdAt', 'updatedAt', 'isSpam', 'reminderSent', 'salesLionBookingId'],
  // For a call booked in the calendar, which has its own form.
  ...['kind', 'coach', 'userId', 'startsAt', 'endsAt', 'heldFrom', 'heldUntil', 'moves'],
  ...['agreed', 'agreedBy', 'agreedAt', 'agreedVersion'],
]
const trap = 'homepage'

type Entries = Record<string, v.GenericSchema>
type Table = Parameters<typeof getTableColumns>[0]

const forms: [name: string, table: Table, contract: { entries: Entries }][] = [
  ['CAPP-05 CAPP-03 CAPP-04 DATA-03 the coaching application', coachingApplications, CoachingApplicationRequest],
  ['CALL-08 CALL-10 DATA-09 API-03 the call booking', coachingBookings, CoachingBookingRequest],
  ['CONT-01 DATA-02 the contact form', contacts, ContactRequest],
]

const has = <Key extends string>(value: unknown, key: Key): value is Record<Key, unknown> =>
  typeof value === 'object' && value !== null && key in value

/** A field's choices, however it's wrapped. Leaves out the empty one. */
function choicesOf(schema: unknown): unknown {
  if (has(schema, 'pipe') && Array.isArray(schema.pipe)) return choicesOf(schema.pipe[0])
  if (has(schema, 'wrapped')) return choicesOf(schema.wrapped)
  if (!has(schema, 'type') || schema.type !== 'picklist' || !has(schema, 'options')) return undefined
  return Array.isArray(schema.options) ? schema.options.filter((choice) => choice !== '') : undefined
}

describe.each(forms)('%s', (_name, table, { entries }) => {
  const columns = Object.entries(getTableColumns(table)).filter(([name]) => !byTheServer.includes(name))
  const fields = Object.entries(entries).filter(([name]) => name !== trap)

  test('has the columns of its table, except those that the server fills in', () => {
    expect(fields.map(([name]) => name).sort()).toEqual(columns.map(([name]) => name).sort())
    expect(entries).toHaveProperty(trap)
  })

  test('may leave out the columns that may be empty, and nothing else', () => {
    const optional = fields.filter(([, schema]) => schema.type === 'optional').map(([name]) => name)
    const spare = columns.filter(([, { notNull, hasDefault }]) => !notNull || hasDefault).map(([name]) => name)
    expect(optional.sort()).toEqual(spare.sort())
  })

  test('offers the choices of the table', () => {
    const offered = fields.map(([name, schema]) => [name, choicesOf(schema)] as const)
    const kept = columns.map(([name, { enumValues }]) => [name, enumValues] as const)
    expect(Object.fromEntries(offered)).toEqual(Object.fromEntries(kept))
  })

  test('has the defaults of the table', () => {
    for (const [name, { default: initially }] of columns) {
      const schema = entries[name]
      if (initially !== undefined) expect([name, schema && v.getDefault(schema)]).toEqual([name, initially])
    }
  })
})

test('CAPP-05 the browser’s coaching form is the server’s without the spam trap', () => {
  expect({ ...CoachingApplicationForm.entries, [trap]: CoachingApplicationRequest.entries[trap] }).toEqual(
    CoachingApplicationRequest.entries,
  )
})

test('DATA-04 DATA-05 DATA-06 DATA-07 DATA-08 every choice has a label, and nothing else has', () => {
  const { enumValues: trade } = coachingApplications.trade
  expect(Object.keys(v.parse(CoachingApplicationText, page).trades)).toEqual(trade)
  expect(Object.keys(coachingChoices.currentRevenue)).toEqual(coachingApplications.currentRevenue.enumValues)
  expect(Object.keys(coachingChoices.timeCommitment)).toEqual(coachingApplications.timeCommitment.enumValues)
  expect(Object.keys(coachingChoices.investment)).toEqual(coachingApplications.investment.enumValues)
  expect(Object.keys(coachingChoices.heardAbout)).toEqual(coachingApplications.heardAbout.enumValues)
})
