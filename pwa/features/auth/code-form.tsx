import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { EmailField, TextField } from '#pwa/ui/field.tsx'
import { CodeLoginResponse, Done } from '#shared/contract/auth.ts'
import { CodeLoginRequest, CodeRequest } from '#shared/contract/sign-in.ts'
import { forgetAskedCode, noteAskedCode, readAskedCode } from './asked-code-storage.ts'
import type { LoginProps } from './login-page.tsx'
import { acceptLogin, openSession } from './session-store.ts'

/** A code from an email, to type here: a link would open the browser instead of the installed app. */
export function CodeForm(props: LoginProps) {
  const [email, setEmail] = useState(readAskedCode)
  const type = (sentTo: string) => {
    noteAskedCode(sentTo)
    setEmail(sentTo)
  }
  const askAgain = () => {
    forgetAskedCode()
    setEmail(null)
  }
  return email === null ? <AskForm onSent={type} /> : <TypeForm {...props} email={email} onAgain={askAgain} />
}

/** Already typed above, so it isn't typed again. */
const typedEmail = () => {
  const field = document.querySelector('form[aria-label="Log in"] input[name="email"]')
  return field instanceof HTMLInputElement ? field.value : ''
}

function AskForm({ onSent }: { onSent: (email: string) => void }) {
  const queryClient = useQueryClient()
  const [problem, setProblem] = useState<string | null>(null)
  const field = useFocusAtStart()
  const { form, errors, isBusy } = useValidatedForm({
    schema: CodeRequest,
    send: async (body) => {
      setProblem(null)
      const { api } = await openSession(queryClient)
      return parseResponse(Done, api.api.auth.code.post(body))
    },
    onDone: (_done, { email }) => onSent(email),
    onFail: (error) => setProblem(messageOf(error, 'We couldn’t send the code. Try again.')),
  })
  return (
    <form {...form} className="auth__form" aria-label="Email me a code">
      {problem && <Banner tone="bad" role="alert" title={problem} />}
      <EmailField ref={field} label="Send it to" defaultValue={typedEmail()} error={errors.email} />
      <Button type="submit" icon="mail" isBusy={isBusy} busyLabel="Sending…">
        Send the code
      </Button>
    </form>
  )
}

type TypeProps = LoginProps & { email: string; onAgain: () => void }

function TypeForm({ email, onAgain, isLeaving, onLoggedIn }: TypeProps) {
  const queryClient = useQueryClient()
  const [problem, setProblem] = useState<string | null>(null)
  const field = useFocusAtStart()
  const { form, errors, isBusy } = useValidatedForm({
    schema: CodeLoginRequest,
    send: async (body) => {
      setProblem(null)
      const session = await openSession(queryClient)
      const { user, ...login } = await parseResponse(CodeLoginResponse, session.api.api.auth.code.login.post(body))
      await acceptLogin(session, user)
      return login
    },
    onDone: onLoggedIn,
    onFail: (error) => setProblem(messageOf(error, 'We couldn’t check the code. Try again.')),
  })
  return (
    <form {...form} className="auth__form" aria-label="Type the code">
      <p role="status">
        If {email} has an account, we’ve emailed it a six-digit code. Type it here within ten minutes.
      </p>
      {problem && !errors.code && <Banner tone="bad" role="alert" title={problem} />}
      <input type="hidden" name="email" value={email} />
      <TextField
        ref={field}
        label="Code from the email"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        error={errors.code}
      />
      <div className="auth__ways">
        <Button type="submit" icon="arrow" isBusy={isBusy || isLeaving} busyLabel="Logging in…">
          Log in with the code
        </Button>
        <Button look="line" onClick={onAgain}>
          Send a new code
        </Button>
      </div>
    </form>
  )
}

/** The field that just opened gets the focus. */
function useFocusAtStart() {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return field
}
