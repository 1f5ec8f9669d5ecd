import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import * as v from 'valibot'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { RequestError, verdictOf } from '#pwa/lib/request-error.ts'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { EmailField } from '#pwa/ui/field.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { Done, ResetLink, ResetPasswordRequest } from '#shared/contract/auth.ts'
import { AuthPage } from './auth-page.tsx'
import { logIn } from './login-queries.ts'
import { NewPasswordField } from './set-password-form.tsx'
import { useCurrentUser } from './use-current-user.ts'

/** The token stays in the address until it is used, so a reload or a discarded tab doesn't lose the link. */
export function ResetPasswordPage({ token }: { token: string | undefined }) {
  const [isDone, setDone] = useState(false)
  const navigate = useNavigate()
  const { data: link, isPending, error, refetch } = useQuery(linkQuery(token))
  const finish = () => {
    setDone(true)
    navigate({ to: '/reset-password', search: {}, replace: true })
  }
  if (isDone) return <Changed />
  if (!token || isInvalid(error)) return <InvalidLink />
  if (isPending) return <Checking />
  return <NewPasswordForm token={token} link={link} onDone={finish} onRefused={() => refetch()} />
}

/** Whether the link still works. If the server can't say, we show the form anyway; sending it reports a dead link. */
const linkQuery = (token = '') =>
  queryOptions({
    queryKey: ['reset-link', token],
    queryFn: () => parseResponse(ResetLink, api.api.auth['reset-password'].check.post({ token })),
    enabled: token !== '',
    staleTime: 0,
    gcTime: 0,
  })

const isInvalid = (error: Error | null) => error instanceof RequestError && error.code === 'invalid_token'

const Checking = () => (
  <AuthPage title="Set a new password">
    <div role="status" aria-label="Checking your link">
      <Skeleton size="block" />
    </div>
  </AuthPage>
)

/** `link` is undefined if the server can't say whose it is. */
type FormProps = { token: string; link: ResetLink | undefined; onDone: () => void; onRefused: () => void }

function NewPasswordForm({ token, link, onDone, onRefused }: FormProps) {
  const toast = useToast()
  const letIn = useFirstLogin()
  const isFirst = link?.isFirst === true
  const { form, errors, isBusy } = useValidatedForm({
    schema: v.pick(ResetPasswordRequest, ['newPassword']),
    send: async ({ newPassword }) => {
      await parseResponse(Done, api.api.auth['reset-password'].post({ token, newPassword }))
      return isFirst && (await letIn(link.email, newPassword))
    },
    onDone: (isIn) => {
      // Otherwise the next page says so.
      if (isIn) toast({ title: 'Password set', tone: 'ok' })
      else onDone()
    },
    onFail: (error) => {
      toast({ title: 'Reset Failed', description: verdictOf(error, 'Invalid or expired reset token.'), tone: 'bad' })
      if (isInvalid(error)) onRefused()
    },
  })
  const title = isFirst ? 'Set your password' : 'Set a new password'
  const lead = isFirst
    ? 'From now on you log in with your email and this password.'
    : 'You’ll be logged out on every other device.'
  return (
    <AuthPage title={title} lead={lead}>
      <form className="sheet sheet--pad auth__sheet" aria-label={title} {...form}>
        {link && <EmailField readOnly value={link.email} />}
        <NewPasswordField error={errors.newPassword} />
        <Button type="submit" icon="arrow" isBusy={isBusy} busyLabel="Saving…">
          Save the password
        </Button>
        <p className="auth__ways">
          <TextLink isTap to="/forgot-password">
            Request a new link
          </TextLink>
        </p>
      </form>
    </AuthPage>
  )
}

/** Someone who has just set their first password is let straight in. Resolves to false where they have to log in themselves. */
function useFirstLogin() {
  const queryClient = useQueryClient()
  const { history } = useRouter()
  return async (email: string, password: string): Promise<boolean> => {
    try {
      history.replace(await logIn(queryClient, { email, password }))
      return true
    } catch {
      return false
    }
  }
}

const Changed = () => (
  <AuthPage title="Password Reset Successful" isNext>
    <div className="sheet sheet--pad auth__sheet">
      <p>You can log in with your new password now.</p>
      <ButtonLink to="/login" icon="arrow">
        Go to Login
      </ButtonLink>
    </div>
  </AuthPage>
)

/**
 * Someone logged in with a code can still press the link in an older email. We learn a moment later that they’re logged in, so the
 * button stays what it was when they reached for it.
 */
function InvalidLink() {
  const isLoggedIn = useCurrentUser({ isAsked: true }) !== undefined
  return (
    <AuthPage title="INVALID RESET LINK">
      <div className="sheet sheet--pad auth__sheet">
        <p>It’s been used or it’s run out. If we’ve sent you a newer one, open that.</p>
        <ButtonLink to="/forgot-password" icon="mail">
          Request a new link
        </ButtonLink>
        {isLoggedIn && <p>You’re logged in here, so you don’t need it to get in.</p>}
        <p className="auth__ways">
          <TextLink isTap to={isLoggedIn ? '/members' : '/login'}>
            {isLoggedIn ? 'Go to the members’ area' : 'Log in'}
          </TextLink>
        </p>
      </div>
    </AuthPage>
  )
}
