import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { parseResponse } from '#pwa/lib/api.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { Button } from '#pwa/ui/button.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { LoginResponse } from '#shared/contract/auth.ts'
import type { PasskeyAnswer } from '#shared/contract/sign-in.ts'
import { readAskedCode } from './asked-code-storage.ts'
import { CodeForm } from './code-form.tsx'
import { codeHash, codeReason } from './code-texts.ts'
import type { LoginProps } from './login-page.tsx'
import { answerWithPasskey, canUsePasskeys, noPasskey } from './passkey-queries.ts'
import { acceptLogin, openSession } from './session-store.ts'

/** `isFirst`: the emailed link of a forgotten password would lead elsewhere, so this comes before it. */
export default function OtherWays({ isFirst, isLeaving, onLoggedIn }: LoginProps & { isFirst: boolean }) {
  const isAsked = useLocation({ select: ({ hash }) => hash === codeHash })
  const [isAsking, setAsking] = useState(isAsked || readAskedCode() !== null)
  return (
    <section className="sheet auth__sheet auth__other" aria-labelledby="other-ways">
      <h2 className="panel__title" id="other-ways">
        Without your password
      </h2>
      {isFirst && <p>{codeReason}</p>}
      {isAsking && <CodeForm isLeaving={isLeaving} onLoggedIn={onLoggedIn} />}
      <p className="auth__ways">
        {!isAsking && (
          <Button look="line" icon="mail" onClick={() => setAsking(true)}>
            Email me a code
          </Button>
        )}
        {canUsePasskeys() && <PasskeyButton isLeaving={isLeaving} onLoggedIn={onLoggedIn} />}
      </p>
    </section>
  )
}

function PasskeyButton({ isLeaving, onLoggedIn }: LoginProps) {
  const toast = useToast()
  const logIn = usePasskeyLogin()
  const { mutate, isPending } = useMutation({
    mutationFn: logIn,
    onSuccess: onLoggedIn,
    onError: (error) => toast({ title: 'Login failed', description: messageOf(error, noPasskey), tone: 'bad' }),
  })
  useAutofill({ logIn, onLoggedIn })
  return (
    <Button look="line" icon="lock" isBusy={isPending || isLeaving} busyLabel="Waiting…" onClick={() => mutate({})}>
      Use a passkey
    </Button>
  )
}

type LogIn = (how: { isAutofill?: boolean }) => Promise<Pick<LoginResponse, 'startsAt'>>

function usePasskeyLogin(): LogIn {
  const queryClient = useQueryClient()
  return async (how) => {
    const session = await openSession(queryClient)
    const answer: PasskeyAnswer = await answerWithPasskey(session.api, how)
    const { user, startsAt } = await parseResponse(LoginResponse, session.api.api.auth.passkey.login.post({ answer }))
    await acceptLogin(session, user)
    return { startsAt }
  }
}

/** If the browser can, it offers passkeys in the email field, next to saved passwords. */
function useAutofill({ logIn, onLoggedIn }: { logIn: LogIn; onLoggedIn: LoginProps['onLoggedIn'] }) {
  const toast = useToast()
  const offer = useEffectEvent(async () => {
    const { browserSupportsWebAuthnAutofill } = await loadFile(() => import('@simplewebauthn/browser'))
    if (!(await browserSupportsWebAuthnAutofill())) return
    await logIn({ isAutofill: true }).then(onLoggedIn, (error: unknown) => {
      // No passkey was chosen: there's no signal, the person used another way or left the page.
      if (!(error instanceof RequestError) || error.code === 'offline') return
      toast({ title: 'Login failed', description: messageOf(error, noPasskey), tone: 'bad' })
    })
  })
  useEffect(() => {
    offer().catch(reportError)
    return () => {
      loadFile(() => import('@simplewebauthn/browser')).then(
        ({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony(),
        () => {},
      )
    }
  }, [])
}
