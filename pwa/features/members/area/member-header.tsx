import { Link } from '@tanstack/react-router'
import { type CSSProperties, lazy, memo, Suspense } from 'react'
import { isPlainClick } from '#pwa/features/auth/logout/logout-gate.tsx'
import { setSiteMode, useSiteMode } from '#pwa/features/site-mode/site-mode-store.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { useIsReadOnly } from '#pwa/sync/hooks.ts'
import { useUnreadAnswers } from '#pwa/sync/questions/use-unread.ts'
import { Tape } from '#pwa/ui/tape.tsx'
import type { SessionUser } from '#shared/contract/auth.ts'
import { formatMonthAndYear } from '#shared/rules/london.ts'

const StopViewing = lazy(async () => ({
  default: (await loadFile(() => import('#pwa/features/viewing-as/viewing-as.tsx'))).StopViewing,
}))

export type Tally = { available: number; completed: number }

type Props = { user: SessionUser; tally: Tally | null; onLogout: () => void }

export const MemberHeader = memo(({ user, tally, onLogout }: Props) => {
  const name = (user.firstName?.trim() || 'Member').toUpperCase()
  return (
    <div className="mem">
      <div className="mem__top">
        <p className="label">Member’s copy</p>
        <nav aria-label="Account">
          {user.isAdmin && <a href="/admin">Admin</a>}
          {user.isImpersonating && (
            <Suspense>
              <StopViewing />
            </Suspense>
          )}
          <SiteModeSwitch />
          <a href="/api/logout" onClick={(event) => isPlainClick(event) && onLogout()}>
            Logout
          </a>
        </nav>
      </div>
      <h1 style={lettersOf(name)}>{name}</h1>
      {user.membershipStartDate && <p className="label">Member since {formatMonthAndYear(user.membershipStartDate)}</p>}
      {tally && <Figures {...tally} />}
      <Questions />
    </div>
  )
})

/** What's between the member and the coach. An owner who views the site as a member doesn't see it. */
function Questions() {
  const unread = useUnreadAnswers() ?? 0
  if (useIsReadOnly()) return null
  return (
    <p className="mem__ask">
      <Link to="/members/$place" params={{ place: 'ask' }}>
        Ask your coach
      </Link>
      <Link to="/members/$place" params={{ place: 'questions' }}>
        Your questions {unread > 0 && <b>{unread} new</b>}
      </Link>
    </p>
  )
}

function SiteModeSwitch() {
  const { isOn, hand } = useSiteMode()
  return (
    <button type="button" aria-pressed={isOn} onClick={() => setSiteMode({ isOn: !isOn, hand })}>
      Sun and gloves
    </button>
  )
}

/** Sets a long name smaller, so that it stays on one line. M and W are wider than the rest. */
function lettersOf(name: string): CSSProperties {
  const letters = [...name].reduce((sum, letter) => sum + (/[MW]/.test(letter) ? 1.3 : 1), 0)
  const measure: Record<`--${string}`, number> = { '--letters': letters }
  return measure
}

const Figures = ({ available, completed }: Tally) => (
  <>
    <dl>
      <div>
        <dt className="label">{available === 1 ? 'video available' : 'videos available'}</dt>
        <dd className="fig">{available}</dd>
      </div>
      <div>
        <dt className="label">completed</dt>
        <dd className="fig">{completed}</dd>
      </div>
    </dl>
    {available > 0 && (
      <Tape label="Completed" value={completed} max={available} {...marksFor(available)} isLive hasNumbers />
    )}
  </>
)

/** About six heavy marks whatever the length, and light ones between them. */
export function marksFor(length: number): { major: number; minor: number } {
  const major = [1, 2, 4, 10, 20, 40, 100].find((step) => length / step <= 7) ?? Math.ceil(length / 6)
  return { major, minor: Math.max(major / 4, 0.5) }
}
