import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { earnedQuery } from '#pwa/features/admin/kit/earned-queries.ts'
import { PlaceLink } from '#pwa/features/admin/kit/part.tsx'
import { currentMonthQuery, mrrQuery } from '#pwa/features/admin/kit/queries.ts'
import type { EarnedLine } from '#shared/contract/earned.ts'
import type { Today } from '#shared/contract/today.ts'
import { formatPounds, formatPoundsAndPence } from '#shared/rules/money.ts'
import { formatShare, mrrFigures } from '#shared/rules/month-figures.ts'
import { changeText } from './today-texts.ts'

/** The business in one line. A figure that’s still on its way is a dash, so that nothing moves. */
export function Figures({ due }: Pick<Today['failures'], 'due'>) {
  const { data: mrr } = useQuery(mrrQuery)
  const { data: month } = useQuery(currentMonthQuery)
  const { data: earned } = useQuery(earnedQuery('month'))
  return (
    <ul className="plain day__figures">
      <Figure label="MRR" place="revenue" note={month && changeText(month.closing - month.opening)}>
        {mrr && formatPounds(mrr.totalMRR)}
      </Figure>
      <Figure label="Churn rate" place="revenue" note="of MRR, this month">
        {month && formatShare(mrrFigures(month).revenueChurn)}
      </Figure>
      <EarnedFigure line={earned?.lines[0]} />
      <Figure label="Due" place="members" search={{ show: 'payment-due' }} note="failed renewals">
        {formatPoundsAndPence(due)}
      </Figure>
    </ul>
  )
}

/** Until we’ve read Stripe’s fees, all we know is what came in. */
const EarnedFigure = ({ line }: { line: EarnedLine | undefined }) =>
  line?.left === null ? (
    <Figure label="Taken" place="earned" note="this month, before fees">
      {formatPoundsAndPence(line.taken - line.refunded)}
    </Figure>
  ) : (
    <Figure label="Earned" place="earned" note="this month">
      {line && formatPoundsAndPence(line.left)}
    </Figure>
  )

type FigureProps = {
  label: string
  place: string
  search?: Record<string, string>
  note: string | undefined
  children: ReactNode
}

const Figure = ({ label, place, search, note, children }: FigureProps) => (
  <li>
    <PlaceLink place={place} search={search}>
      {label}
    </PlaceLink>
    <b>{children ?? '–'}</b>
    <small>{note}</small>
  </li>
)
