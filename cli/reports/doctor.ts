import type { Check } from '#cli/doctor/check.ts'
import type { Report } from '#cli/output.ts'
import { type Column, tableText } from '#cli/table.ts'
import { plural } from '#shared/rules/plural.ts'

const columns: readonly Column<Check>[] = [
  { title: 'STATE', text: ({ state }) => state },
  { title: 'CHECK', text: ({ name }) => name },
  { title: 'FOUND', text: ({ says }) => says },
]

export function doctorReport(checks: readonly Check[]): Report {
  const summary = summaryOf(checks)
  return {
    answer: { isHealthy: checks.every(({ state }) => state !== 'failed'), checks },
    sheet: () => ({
      head: ['state', 'check', 'found'],
      rows: checks.map(({ state, name, says }) => [state, name, says]),
    }),
    text: () => `${tableText(columns, checks)}${summary}\n`,
    async view(width) {
      const [{ draw }, { DoctorView }] = await Promise.all([
        import('#cli/views/draw.tsx'),
        import('#cli/views/doctor.tsx'),
      ])
      return draw(DoctorView, { checks, summary, width })
    },
  }
}

function summaryOf(checks: readonly Check[]): string {
  const failures = checks.filter(({ state }) => state === 'failed').length
  const warnings = checks.filter(({ state }) => state === 'warning').length
  if (failures + warnings === 0) return 'All well.'
  return `${plural(failures, 'check')} failed, ${plural(warnings, 'warning')}.`
}
