import type { ReactNode } from 'react'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'

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
    <ButtonLink to="/admin/$place" params={{ place: 'members' }} icon="back" look="line" isSmall>
      Back to Admin
    </ButtonLink>
  </div>
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
          <ButtonLink to="/admin/$place" params={{ place: 'members' }}>
            Back to Admin
          </ButtonLink>
        }
      >
        No one has this address, or they’ve been removed.
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
