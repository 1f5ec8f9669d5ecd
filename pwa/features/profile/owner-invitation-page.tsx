import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import * as v from 'valibot'
import { AuthPage } from '#pwa/features/auth/auth-page.tsx'
import { NewPasswordField } from '#pwa/features/auth/set-password-form.tsx'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { ownerInvitationTitle } from '#pwa/features/places/account-places.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { Done } from '#shared/contract/auth.ts'
import { AcceptOwnerRequest, InvitedOwner } from '#shared/contract/owners.ts'

const title = ownerInvitationTitle

/** The token stays in the address until it's used, so that logging in first, or a reload, doesn't lose it. */
export default function OwnerInvitationPage({ token }: { token: string }) {
  const { data, error, refetch } = useQuery(invitationQuery(token))
  if (token === '' || isDead(error)) return <DeadLink />
  if (error) return <Unreadable error={error} onRetry={() => refetch()} />
  if (data === undefined) return <Checking />
  return data.hasAccount && !data.isHere ? (
    <LoginFirst email={data.email} token={token} />
  ) : (
    <AcceptForm token={token} {...data} onDead={() => refetch()} />
  )
}

const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['owner-invitation', token],
    queryFn: () => parseResponse(InvitedOwner, api.api['owner-invitation'].post({ token })),
    enabled: token !== '',
    staleTime: 0,
    gcTime: 0,
  })

const isDead = (error: Error | null) => error instanceof RequestError && error.code === 'invalid_link'

const Checking = () => (
  <AuthPage title={title}>
    <div role="status" aria-label="Checking your link">
      <Skeleton size="block" />
    </div>
  </AuthPage>
)

const Unreadable = ({ error, onRetry }: { error: Error; onRetry: () => void }) => (
  <AuthPage title={title}>
    <div className="sheet sheet--pad auth__sheet">
      <Banner tone="bad" role="alert" title={messageOf(error, 'We couldn’t check your link.')} />
      <Button look="line" onClick={onRetry}>
        Try again
      </Button>
    </div>
  </AuthPage>
)

const DeadLink = () => (
  <AuthPage title="This invitation doesn’t work">
    <div className="sheet sheet--pad auth__sheet">
      <p>
        It’s been used or cancelled, it’s run out, or part of the link is missing. Ask whoever invited you for another.
      </p>
      <ButtonLink to="/login" icon="arrow">
        Go to Login
      </ButtonLink>
    </div>
  </AuthPage>
)

const LoginFirst = ({ email, token }: { email: string; token: string }) => (
  <AuthPage title={title} lead="You’ve already got an account here.">
    <div className="sheet sheet--pad auth__sheet">
      <p>Log in as {email}. You’ll come back here to accept.</p>
      <ButtonLink to="/login" search={{ redirect: `/members/owner-invitation?token=${token}` }} icon="arrow">
        Log in
      </ButtonLink>
    </div>
  </AuthPage>
)

type FormProps = InvitedOwner & { token: string; onDead: () => void }

function AcceptForm({ token, email, hasAccount, onDead }: FormProps) {
  const toast = useToast()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { form, errors, isBusy } = useValidatedForm({
    schema: v.pick(AcceptOwnerRequest, ['newPassword']),
    send: ({ newPassword }) => parseResponse(Done, api.api['owner-invitation'].accept.post({ token, newPassword })),
    onDone: async () => {
      await queryClient.resetQueries()
      toast({ title: 'You’re an owner', description: 'Set up two-step login under Settings, People.', tone: 'ok' })
      await navigate({ to: '/admin', replace: true })
    },
    onFail: (error) => {
      toast({ title: messageOf(error, 'We couldn’t accept it.'), tone: 'bad' })
      if (isDead(error)) onDead()
    },
  })
  return (
    <AuthPage title={title} lead="You’ll see every member, payment and invoice.">
      <form className="sheet sheet--pad auth__sheet" aria-label={title} {...form}>
        <p>
          You’re accepting as {email}.{' '}
          {hasAccount
            ? 'Set a new password. Your old one, your passkeys and your other logins stop working.'
            : 'Set a password to log in with.'}
        </p>
        <NewPasswordField error={errors.newPassword} />
        <Button type="submit" icon="arrow" isBusy={isBusy} busyLabel="Accepting…">
          Accept
        </Button>
      </form>
    </AuthPage>
  )
}
