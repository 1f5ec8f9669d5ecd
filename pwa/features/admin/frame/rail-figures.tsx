import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { mrrQuery } from '#pwa/features/admin/kit/queries.ts'
import { formatPounds } from '#shared/rules/money.ts'

/** The customer target and MRR, small. Today shows them whole. */
export function RailFigures({ onClick }: { onClick?: () => void }) {
  const { data } = useQuery(mrrQuery)
  if (!data) return null
  const { customers, goal } = data.target
  return (
    <ul className="plain rail__figures">
      <li>
        <Link
          to="/admin/$place"
          params={{ place: 'members' }}
          search={{ show: 'paying' }}
          activeProps={{ 'aria-current': undefined }}
          onClick={onClick}
        >
          <span>Target</span>
          <b>
            {customers} of {goal}
          </b>
        </Link>
      </li>
      <li>
        <Link
          to="/admin/$place"
          params={{ place: 'revenue' }}
          activeProps={{ 'aria-current': undefined }}
          onClick={onClick}
        >
          <span>MRR</span>
          <b>{formatPounds(data.totalMRR)}</b>
        </Link>
      </li>
    </ul>
  )
}
