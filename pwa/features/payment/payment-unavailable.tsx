import type { ReactNode } from 'react'
import type { RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, ButtonAnchor, ButtonLink } from '#pwa/ui/button.tsx'

type Props = {
  error: Error & Partial<Pick<RequestError, 'code' | 'text'>>
  returnTo: string
  onRetry: () => void
  isRetrying: boolean
}

export function PaymentUnavailable({ error, returnTo, onRetry, isRetrying }: Props) {
  const retry = (
    <Button look="line" isSmall icon="sync" isBusy={isRetrying} busyLabel="Trying again…" onClick={onRetry}>
      Try again
    </Button>
  )
  switch (error.code) {
    case 'account_exists':
      return <AccountExists returnTo={returnTo} text={error.text} />
    case 'already_subscribed':
      return (
        <Notice
          title={error.text ?? 'You already have a membership. Please open Billing.'}
          action={
            <ButtonLink to="/members" search={{ tab: 'billing' }} icon="arrow">
              Open Billing
            </ButtonLink>
          }
        >
          You haven’t been charged.
        </Notice>
      )
    case 'access_revoked':
    case 'unknown_membership':
      return (
        <Notice
          tone="bad"
          title={error.text ?? 'Your access was ended by the owners. Please contact us.'}
          action={<ButtonAnchor href="/contact">Contact us</ButtonAnchor>}
        >
          You haven’t been charged.
        </Notice>
      )
    case 'offline':
      return (
        <Notice icon="nosignal" title="You need signal to pay" action={retry}>
          You haven’t been charged. We’ve kept your details, and we’ll carry on when you’re back in range.
        </Notice>
      )
    default:
      return (
        <Notice tone="bad" title="Failed to initialize payment. Please refresh and try again." action={retry}>
          You haven’t been charged, and we’ve kept everything you filled in.
        </Notice>
      )
  }
}

export const AccountExists = ({ returnTo, text }: { returnTo: string; text?: string | undefined }) => (
  <Notice
    icon="person"
    title={text ?? 'You already have an account. Please log in to continue.'}
    action={
      <ButtonLink to="/login" search={{ redirect: returnTo }} icon="arrow">
        Log in
      </ButtonLink>
    }
  >
    We’ve kept what you filled in. No password yet? Log in with a code, or open the link we emailed you.
  </Notice>
)

type NoticeProps = {
  tone?: 'bad'
  icon?: 'nosignal' | 'person'
  title: string
  action: ReactNode
  children: ReactNode
}

const Notice = ({ children, ...rest }: NoticeProps) => (
  <Banner role="alert" {...rest}>
    <p>{children}</p>
  </Banner>
)
