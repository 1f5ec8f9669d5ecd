import { useQuery } from '@tanstack/react-query'
import { revenueMonthsQuery } from '#pwa/features/admin/kit/queries.ts'
import { SelectField } from '#pwa/ui/field.tsx'
import { londonMonth, monthBefore } from '#shared/rules/london.ts'
import { periodName } from '#shared/rules/periods.ts'

/** Members moved in from elsewhere may have joined long before the first payment here. */
const yearsBack = 10

/** Newest first. */
function monthsUntil(newest: string): string[] {
  const months = [newest]
  while (months.length < yearsBack * 12) months.push(monthBefore(months.at(-1) ?? newest))
  return months
}

type Props = { value: string; error: string | undefined }

/** A list, because Firefox and Safari have no field for a month. */
export function JoinedField({ value, error }: Props) {
  // The last one is this month by the site's clock, which the sandbox can move.
  const newest = useQuery(revenueMonthsQuery).data?.at(-1)?.month ?? londonMonth(new Date())
  const months = monthsUntil(newest)
  return (
    <SelectField label="Joined in" name="joined" defaultValue={value} error={error}>
      <option value="">Any month</option>
      {[...months, ...(value === '' || months.includes(value) ? [] : [value])].map((month) => (
        <option key={month} value={month}>
          {periodName(month)}
        </option>
      ))}
    </SelectField>
  )
}
