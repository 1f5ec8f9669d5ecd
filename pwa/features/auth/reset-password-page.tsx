import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { Done, ResetPasswordRequest } from '#shared/contract/auth.ts'
import { AuthPage } from './auth-page.tsx'
import { NewPasswordField } from './set-password-form.tsx'

/** Reads the token once, and takes it out of the address at once: no history, no `Referer`, no screenshot shows it. */
export function ResetPasswordPage({ token: given }: { token: string | undefined }) {
  const [token] = useState(given)
  const [isDone, setDone] = useState(false)
  const navigate = useNavigate()
  useEffect(() => {
    if (given !== undefined) navigate({ to: '/reset-password', search: {}, replace: true })
  }, [given, navigate])
  if (!token) return <InvalidLink />
  return isDone ? <Changed /> : <NewPasswordForm token={token} onDone={() => setDone(true)} />
}

function NewPasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
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
    },
  })
  return (
    <AuthPage title="Set a new password" lead="It ends every login of your account on other devices.">
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
      <p>Your new password works from now on. Log in with it.</p>
      <ButtonLink to="/login" icon="arrow">
        Go to Login
      </ButtonLink>
    </div>
  </AuthPage>
)

const InvalidLink = () => (
  <AuthPage title="INVALID RESET LINK">
    <div className="sheet sheet--pad auth__sheet">
      <p>This link has no token in it. It may have been cut off on its way. A new one takes a minute.</p>
      <ButtonLink to="/forgot-password" icon="mail">
        Request a new link
      </ButtonLink>
    </div>
  </AuthPage>
)
