import type { SessionUser } from '#shared/contract/auth.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import './profile.css'

/** Label → value, as the account holds them. */
const rowsOf = (user: SessionUser): [label: string, value: string | null][] => [
  ['Full name', [user.firstName, user.lastName].filter(Boolean).join(' ')],
  ['Email', user.email],
  ['Phone', user.phone],
  ['Business name', user.businessName],
  ['Trade', user.trade],
  ['Member since', user.membershipStartDate && formatLongDate(user.membershipStartDate)],
]

export const ProfileSection = ({ user }: { user: SessionUser }) => (
  <div className="sheet profile">
    <h2 className="panel__title">Profile</h2>
    <dl className="profile__rows">
      {rowsOf(user).map(([label, value]) => (
        <div key={label}>
          <dt className="label">{label}</dt>
          <dd className={value?.trim() ? undefined : 'profile__none'}>{value?.trim() || 'Not provided'}</dd>
        </div>
      ))}
    </dl>
  </div>
)
