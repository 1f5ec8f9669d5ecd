import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { SessionUser } from '#shared/contract/auth.ts'
import type { Profile } from '#shared/contract/profile.ts'
import { formatLongDate, formatMoment } from '#shared/rules/london.ts'
import { fullName } from '#shared/rules/person-name.ts'
import { PhotoSection } from './photo.tsx'
import { type ProfileDraft, readProfileDraft } from './profile-draft-storage.ts'
import { notProvided, valuesOf } from './profile-texts.ts'
import { type Account, profileQuery } from './queries.ts'
import './profile.css'

const ProfileForm = lazy(() => loadFile(() => import('./profile-form.tsx')))

type Details = Pick<Profile, 'firstName' | 'lastName' | 'email' | 'phone' | 'businessName' | 'trade'>

const rowsOf = (details: Details, memberSince: string | null): [label: string, value: string | null][] => [
  ['Full name', fullName(details)],
  ['Email', details.email],
  ['Phone', details.phone],
  ['Business name', details.businessName],
  ['Trade', details.trade],
  ['Member since', memberSince && formatLongDate(memberSince)],
]

type Props = { session: AuthSession; user: SessionUser; hasSignal: boolean }

/** The member's details, to read and to edit. A draft that was never saved opens the form again. */
export function ProfileSection({ session, user, hasSignal }: Props) {
  const account = { session, memberId: user.id }
  const { data: profile, error, refetch } = useQuery(profileQuery(account))
  const heading = useRef<HTMLHeadingElement>(null)
  const [draft, setDraft] = useState(() => (user.isImpersonating ? null : readProfileDraft()))
  const [isRestored, setRestored] = useState(draft !== null)
  const edit = (from: Profile) => {
    setRestored(false)
    setDraft({ version: from.version, base: valuesOf(from), typed: valuesOf(from) })
  }
  const close = () => {
    setDraft(null)
    heading.current?.focus()
  }
  return (
    <div className="sheet profile">
      <h2 className="panel__title" tabIndex={-1} ref={heading}>
        Profile
      </h2>
      {draft ? (
        <LoadedForm
          {...account}
          draft={draft}
          isRestored={isRestored}
          hasSignal={hasSignal}
          hasPassword={user.hasPassword}
          profile={profile}
          onClose={close}
        />
      ) : (
        <>
          {profile?.pendingEmail && <PendingEmail pending={profile.pendingEmail} />}
          <PhotoSection {...account} user={user} hasSignal={hasSignal} />
          <ProfileRows details={profile ?? user} memberSince={user.membershipStartDate} />
          {!user.isImpersonating && (
            <EditButton profile={profile} hasSignal={hasSignal} error={error} refetch={refetch} onEdit={edit} />
          )}
        </>
      )}
    </div>
  )
}

type EditProps = {
  profile: Profile | undefined
  hasSignal: boolean
  error: Error | null
  refetch: () => void
  onEdit: (from: Profile) => void
}

/** Editing has to wait until this device knows the profile's version. If someone presses before that, we remember it. */
function EditButton({ profile, hasSignal, error, refetch, onEdit }: EditProps) {
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    if (isWanted && profile) onEdit(profile)
  }, [isWanted, profile, onEdit])
  if (!profile && !hasSignal)
    return (
      <Button look="line" isSmall icon="nosignal" second="Needs signal" disabled>
        Edit profile
      </Button>
    )
  if (!profile && error)
    return (
      <Button look="line" isSmall icon="sync" onClick={refetch}>
        Retry
      </Button>
    )
  return (
    <Button look="line" isSmall isBusy={isWanted} onClick={() => setWanted(true)}>
      Edit profile
    </Button>
  )
}

const ProfileRows = ({ details, memberSince }: { details: Details; memberSince: string | null }) => (
  <dl className="profile__rows">
    {rowsOf(details, memberSince).map(([label, value]) => (
      <div key={label}>
        <dt className="label">{label}</dt>
        <dd className={value?.trim() ? undefined : 'profile__none'}>{value?.trim() || notProvided}</dd>
      </div>
    ))}
  </dl>
)

type LoadedProps = Account & {
  draft: ProfileDraft
  isRestored: boolean
  hasSignal: boolean
  hasPassword: boolean
  profile: Profile | undefined
  onClose: () => void
}

const LoadedForm = ({ profile, ...props }: LoadedProps) => (
  <Suspense fallback={<Skeleton size="block" />}>
    <ProfileForm {...props} emailFixedUntil={profile?.emailFixedUntil ?? null} />
  </Suspense>
)

const PendingEmail = ({ pending: { email, expiresAt } }: { pending: { email: string; expiresAt: string } }) => (
  <Banner title="Confirm your new email">
    {`Open the link we emailed to ${email} before ${formatMoment(expiresAt)}.`}
  </Banner>
)
