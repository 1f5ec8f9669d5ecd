import { useQuery } from '@tanstack/react-query'
import { revenueMonthsQuery } from '#pwa/features/admin/kit/queries.ts'
import { SelectField } from '#pwa/ui/field.tsx'
import { londonMonth } from '#shared/rules/london.ts'
import { periodName, quarterOf, taxYearOf } from '#shared/rules/periods.ts'

type Props = {
  value: string
  onChange: (period: string) => void
  /** The label for no period. Without it, one is always chosen. */
  all?: string
  hasTaxYears?: boolean
}

/** A month, a quarter or a tax year since the first payment, newest first. */
export function PeriodField({ value, onChange, all, hasTaxYears = false }: Props) {
  const known = useQuery(revenueMonthsQuery).data?.map(({ month }) => month) ?? [londonMonth(new Date())]
  const months = known.toReversed()
  const groups = [
    ['Quarters', [...new Set(months.map(quarterOf))]],
    ...(hasTaxYears ? [['Tax years', [...new Set(months.map(taxYearOf))]] as const] : []),
    ['Months', months],
  ] as const
  const isKnown = value === '' || groups.some(([, periods]) => periods.includes(value))
  return (
    <SelectField label="Period" value={value} onChange={({ target }) => onChange(target.value)}>
      {all !== undefined && <option value="">{all}</option>}
      {!isKnown && <option value={value}>{periodName(value)}</option>}
      {groups.map(([label, periods]) => (
        <optgroup key={label} label={label}>
          {periods.map((period) => (
            <option key={period} value={period}>
              {periodName(period)}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  )
}
