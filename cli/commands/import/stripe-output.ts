import type { Section } from '#cli/table.ts'
import type { Import, ImportColumn } from '#shared/contract/imports.ts'
import { guessWords, switchOffSteps } from '#shared/rules/adoption-texts.ts'
import { planLines, stayLines } from '#shared/rules/imports.ts'

const formatted = (count: number) => count.toLocaleString('en-GB')

/** What stays at Stripe comes first, because it asks something of the owner. The last line is what would happen. */
export function stripeSections(given: Import, people: readonly Section[], says: string): Section[] {
  const { id, columns, state } = given
  const stays = stayLines(given).map(({ count, why, remedy }) => ({
    label: formatted(count),
    value: `${why}. ${remedy}`,
  }))
  const prices = columns.filter((one) => !isProgram(one)).map(priceDetail)
  const programs = columns.filter(isProgram).map(({ heading, sample }) => ({ label: heading, value: sample }))
  const steps = switchOffSteps.map((step, at) => ({ label: String(at + 1), value: step }))
  const counts = planLines(given).map(({ label, count }) => ({ label, value: formatted(count) }))
  const nothing = ['Charges now', 'Dates changed', 'Emails'].map((label) => ({ label, value: 'none' }))
  const sections: Section[] = [
    { title: 'Stay at Stripe', details: stays, note: 'Each one by its ID: --csv' },
    { title: 'Prices', details: prices },
    { title: 'Made by', details: programs },
    ...people,
    { title: 'First, in Stripe', details: state === 'planned' ? steps : [] },
  ]
  return [
    ...sections.filter(({ details, lines }) => (details ?? lines ?? []).length > 0),
    { title: 'Plan', details: [{ label: 'Import', value: id }, ...counts, ...nothing], note: says },
  ]
}

const isProgram = ({ field }: ImportColumn) => field === 'program'

const priceDetail = ({ heading, sample, field, guess }: ImportColumn) => ({
  label: field ?? 'Choose a tier',
  value: `${sample}${guess ? ` · ${guessWords[guess]}` : ''} (${heading})`,
})
