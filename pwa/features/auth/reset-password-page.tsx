import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import * as v from 'valibot'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { Done, ResetPasswordRequest } from '#shared/contract/auth.ts'
import { AuthPage } from './auth-page.tsx'
import { NewPasswordField } from './set-password-form.tsx'

/** The token stays in the address until it is used, so a reload or a discarded tab doesn't lose the link. */
export function ResetPasswordPage({ token }: { token: string | undefined }) {
  const [isDone, setDone] = useState(false)
  const navigate = useNavigate()
  const { isPending, error, refetch } = useQuery(linkQuery(token))
  const finish = () => {
    setDone(true)
    navigate({ to: '/reset-password', search: {}, replace: true })
  }
  if (isDone) return <Changed />
  if (!token || isInvalid(error)) return <InvalidLink />
  return isPending ? <Checking /> : <NewPasswordForm token={token} onDone={finish} onRefused={() => refetch()} />
}

/** Whether the link still works. If the server can't say, we show the form anyway; sending it reports a dead link. */
const linkQuery = (token = '') =>
  queryOptions({
    queryKey: ['reset-link', token],
    queryFn: () => parseResponse(Done, api.api.auth['reset-password'].check.post({ token })),
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

type FormProps = { token: string; onDone: () => void; onRefused: () => void }

function NewPasswordForm({ token, onDone, onRefused }: FormProps) {
  const toast = useToast()
  const { form, errors, isBusy } = useValidatedForm({
    schema: v.pick(ResetPasswordRequest, ['newPassword']),
    send: ({ newPassword }) => parseResponse(Done, api.api.auth['reset-password'].post({ token, newPassword })),
    onDone: () => {
      toast({ title: 'Password Reset Successful', tone: 'ok' })
      onDone()
    },
    onFail: (error) => {
      toast({ title: 'Reset Failed', description: messageOf(error, 'Invalid or expired reset token.'), tone: 'bad' })
      if (isInvalid(error)) onRefused()
    },
  })
  return (
    <AuthPage title="Set a new password" lead="You’ll be logged out on every other device.">
      <form className="sheet sheet--pad auth__sheet" aria-label="Set a new password" {...form}>
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

const InvalidLink = () => (
  <AuthPage title="INVALID RESET LINK">
    <div className="sheet sheet--pad auth__sheet">
      <p>It’s been used, it’s run out, or part of it is missing. A new one takes a minute.</p>
      <ButtonLink to="/forgot-password" icon="mail">
        Request a new link
      </ButtonLink>
    </div>
  </AuthPage>
)
