import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cameFrom } from '#pwa/features/admin/kit/came-from-store.ts'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import type { AdminMemberDetail } from '#shared/contract/members.ts'
import { formatLongDate } from '#shared/rules/london.ts'

type HeadProps = {
  title: string
  who: ReactNode
  photo?: string | null
  children?: ReactNode
}

export const MemberHead = ({ title, who, photo, children }: HeadProps) => (
  <div className="recordhead">
    <div>
      <div className="office__name">
        {photo && <img className="face" src={photo} width={72} height={72} alt="" />}
        <h1>{title}</h1>
      </div>
      {who}
    </div>
    {children}
    <BackLink />
  </div>
)

function BackLink() {
  const { pathname, search } = cameFrom(useRouter().state.location)
  return (
    <ButtonLink to={pathname} search={search} icon="back" look="line" isSmall>
      Back
    </ButtonLink>
  )
}

type JoinedProps = { member: Pick<AdminMemberDetail, 'membershipStartDate' | 'createdAt'> }

/** They joined when their membership started, as in the lists. Making an account is something else. */
export const JoinedOn = ({ member: { membershipStartDate, createdAt } }: JoinedProps) => (
  <>
    {membershipStartDate && <span>Joined {formatLongDate(membershipStartDate)}</span>}
    <span>Account made {formatLongDate(createdAt)}</span>
  </>
)

type MissingProps = { title: string; error: Error; isFetching: boolean; refetch: () => unknown }

export const MissingMember = ({ title, error, isFetching, refetch }: MissingProps) => (
  <div className="wrap">
    <h1 className="vh">{title}</h1>
    {error instanceof RequestError && error.status === 404 ? (
      <EmptyState
        level={2}
        title="Member Not Found"
        action={
          <>
            <ButtonLink to="/admin">Back to Admin</ButtonLink>
            <ButtonLink to="/admin/$place" params={{ place: 'members' }} look="line">
              All members
            </ButtonLink>
          </>
        }
      >
        They may have been removed, or the link is wrong. Look for them in your members.
      </EmptyState>
    ) : (
      <EmptyState
        level={2}
        title="We couldn’t load this member"
        action={
          <Button look="line" isSmall icon="sync" isBusy={isFetching} onClick={() => refetch()}>
            Retry
          </Button>
        }
      >
        {messageOf(error, 'We couldn’t reach the site. Try again in a minute.')}
      </EmptyState>
    )}
  </div>
)
