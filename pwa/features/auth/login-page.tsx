import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { lazyExtra } from '#pwa/lib/lazy-extra.tsx'
import { RequestError, verdictOf } from '#pwa/lib/request-error.ts'
import { track } from '#pwa/lib/track.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { EmailField, PasswordField, TextField } from '#pwa/ui/field.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { LoginRequest, type LoginResponse } from '#shared/contract/auth.ts'
import { isServerPage, returnPath } from '#shared/rules/return-path.ts'
import { forgetAskedCode } from './asked-code-storage.ts'
import { AuthPage } from './auth-page.tsx'
import { logIn } from './login-queries.ts'
import { useCurrentUser } from './use-current-user.ts'
import { useLinksElsewhere } from './use-links-elsewhere.ts'

const greetingMs = 1000
/** The next page's first lines are what they came for, and the greeting stands over them on a phone. */
const greetingShownMs = 2500

const passwordRemoved =
  'You’re in. To be safe we’ve removed the old password, phone, address and photo, and logged out other devices. Set a new password under Profile.'
/** Long enough for three sentences; the next page keeps showing them. */
const removedMs = 20_000

export function LoginPage({ redirect }: { redirect: string | undefined }) {
  const leaveLogin = useLeaveLogin(returnPath(redirect))
  const { greet, isLeaving } = useGreeting(redirect, leaveLogin)
  const isLoggedIn = useCurrentUser({ isAsked: true }) !== undefined
  useEffect(() => {
    if (isLoggedIn && !isLeaving) leaveLogin()
  }, [isLoggedIn, isLeaving, leaveLogin])
  const isCodeFirst = useLinksElsewhere()
  const otherWays = (
    <Suspense fallback={<Skeleton size="block" />}>
      <OtherWays isFirst={isCodeFirst} isLeaving={isLeaving} onLoggedIn={greet} />
    </Suspense>
  )
  return (
    <AuthPage title="Member login">
      {isCodeFirst && otherWays}
      <LoginForm isLeaving={isLeaving} onLoggedIn={greet} />
      {!isCodeFirst && otherWays}
    </AuthPage>
  )
}

function useLeaveLogin(wanted: string) {
  const { history } = useRouter()
  return useCallback(
    (path = wanted) => {
      // Replaces the login's history entry: Back mustn't lead to a page that sends a logged-in member away again.
      if (isServerPage(path)) window.location.replace(path)
      else history.replace(path)
    },
    [history, wanted],
  )
}

function useGreeting(redirect: string | undefined, onGreeted: (path: string) => void) {
  const toast = useToast()
  const [leavingTo, setLeavingTo] = useState<string | null>(null)
  useEffect(() => {
    if (leavingTo === null) return
    const timer = setTimeout(() => onGreeted(leavingTo), greetingMs)
    return () => clearTimeout(timer)
  }, [leavingTo, onGreeted])
  const greet = ({ startsAt, isPasswordRemoved = false }: LoggedIn) => {
    const path = returnPath(redirect ?? startsAt)
    forgetAskedCode()
    track({ name: 'login' })
    const isMembers = /^\/members(?![^?#])/.test(path)
    const where = isMembers ? 'Redirecting to your members area...' : 'Back to where you were.'
    const greeting = { title: 'Welcome back!', tone: 'ok' } as const
    if (isPasswordRemoved) toast({ ...greeting, description: passwordRemoved, duration: removedMs })
    else toast({ ...greeting, description: where, duration: greetingShownMs })
    setLeavingTo(path)
  }
  return { greet, isLeaving: leavingTo !== null }
}

/** If these can't load, without signal or after an update, the password still works. */
const OtherWays = lazyExtra(() => import('./other-ways.tsx'))

/** `isPasswordRemoved`: the account had one, set before anyone had proved the mailbox is theirs. */
type LoggedIn = Pick<LoginResponse, 'startsAt'> & { isPasswordRemoved?: boolean }
export type LoginProps = { isLeaving: boolean; onLoggedIn: (login: LoggedIn) => void }

/** Keeps what was typed when a login fails. The reset link works even after too many attempts. */
function LoginForm({ isLeaving, onLoggedIn }: LoginProps) {
  const toast = useToast()
  const queryClient = useQueryClient()
  const [tooMany, setTooMany] = useState<string>()
  const [factor, setFactor] = useState<string>()
  const { form, errors, isBusy } = useValidatedForm({
    schema: LoginRequest,
    send: async (body) => ({ startsAt: await logIn(queryClient, body) }),
    onDone: onLoggedIn,
    onFail: (error) => {
      const sentence = verdictOf(error, 'Please check your credentials and try again.')
      if (error instanceof RequestError && error.code === 'second_factor_needed') return setFactor(sentence)
      setTooMany(error instanceof RequestError && error.code === 'rate_limited' ? sentence : undefined)
      toast({ title: 'Login failed', description: sentence, tone: 'bad' })
    },
  })
  return (
    <form className="sheet sheet--pad auth__sheet" aria-label="Log in" {...form}>
      {tooMany && (
        <Banner tone="bad" title="Too many attempts">
          {tooMany}
        </Banner>
      )}
      <EmailField autoComplete="username webauthn" error={errors.email} />
      <PasswordField label="Password" name="password" autoComplete="current-password" error={errors.password} />
      {factor && <FactorField hint={factor} error={errors.code} />}
      <Button type="submit" icon="arrow" isBusy={isBusy || isLeaving} busyLabel="Logging in…">
        Log in
      </Button>
      <p className="auth__ways">
        <TextLink isTap to="/forgot-password">
          Forgot your password?
        </TextLink>
        <TextLink isTap to="/">
          Back to home
        </TextLink>
      </p>
    </form>
  )
}

/** An owner's second factor, after the right password. */
function FactorField({ hint, error }: { hint: string; error: string | undefined }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return <TextField ref={field} label="Code" name="code" autoComplete="one-time-code" hint={hint} error={error} />
}
