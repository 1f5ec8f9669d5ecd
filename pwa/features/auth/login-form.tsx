import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { ask } from '#pwa/lib/api.ts'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { EmailField, PasswordField } from '#pwa/ui/field.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { LoginRequest, LoginResponse } from '#shared/contract/auth.ts'

type Props = { isLeaving: boolean; onLoggedIn: () => void }

/** E-mail and password. What was typed stays when the login fails; the reset link works even after too many tries. */
export function LoginForm({ isLeaving, onLoggedIn }: Props) {
  const toast = useToast()
  const queryClient = useQueryClient()
  const [tooMany, setTooMany] = useState<string>()
  const { form, errors, isBusy } = useValidatedForm({
    schema: LoginRequest,
    send: async (body) => {
      const { arrive, ownSession } = await import('./own-session.ts')
      const session = await ownSession(queryClient)
      const { user } = await ask(LoginResponse, session.api.api.auth.login.post(body))
      await arrive(session, user)
    },
    onDone: onLoggedIn,
    onFail: (error) => {
      const sentence = messageOf(error, 'Please check your credentials and try again.')
      setTooMany(error instanceof RequestError && error.code === 'rate_limited' ? sentence : undefined)
      toast({ title: 'Login failed', description: sentence, tone: 'bad' })
    },
  })
  return (
    <form className="sheet sheet--pad auth__sheet" aria-label="Log in" {...form}>
      {tooMany && (
        <Banner tone="bad" title="Too many tries">
          {tooMany}
        </Banner>
      )}
      <EmailField error={errors.email} />
      <PasswordField label="Password" name="password" autoComplete="current-password" error={errors.password} />
      <Button type="submit" icon="arrow" isBusy={isBusy || isLeaving} busyLabel="Logging in…">
        Log in
      </Button>
      <p className="auth__ways">
        <TextLink isTap to="/forgot-password">
          Forgot your password?
        </TextLink>
        <TextLink isTap to="/">
          Back to the front page
        </TextLink>
      </p>
    </form>
  )
}
