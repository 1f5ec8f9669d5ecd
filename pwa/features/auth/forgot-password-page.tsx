import { useState } from 'react'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { EmailField } from '#pwa/ui/field.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { Done, ForgotPasswordRequest } from '#shared/contract/auth.ts'
import { AuthPage } from './auth-page.tsx'
import { codeHash, codeReason } from './code-texts.ts'
import { useLinksElsewhere } from './use-links-elsewhere.ts'

type Shown = { kind: 'form'; isAgain: boolean } | { kind: 'sent'; email: string }

/** Asks for an email address, then says a link is on its way. It's the same for an address without an account. */
export function ForgotPasswordPage() {
  const [shown, show] = useState<Shown>({ kind: 'form', isAgain: false })
  return shown.kind === 'form' ? (
    <LinkRequestForm key="form" isAgain={shown.isAgain} onSent={(email) => show({ kind: 'sent', email })} />
  ) : (
    <CheckYourEmail key="sent" email={shown.email} onAgain={() => show({ kind: 'form', isAgain: true })} />
  )
}

function LinkRequestForm({ isAgain, onSent }: { isAgain: boolean; onSent: (email: string) => void }) {
  const toast = useToast()
  const isCodeFirst = useLinksElsewhere()
  const { form, errors, isBusy } = useValidatedForm({
    schema: ForgotPasswordRequest,
    send: (body) => parseResponse(Done, api.api.auth['forgot-password'].post(body)),
    onDone: (_, { email }) => {
      toast({ title: 'Reset Email Sent', tone: 'ok' })
      onSent(email)
    },
    onFail: (error) => {
      const description = messageOf(error, 'Something went wrong. Please try again.')
      toast({ title: 'Error', description, tone: 'bad' })
    },
  })
  return (
    <AuthPage title="Forgot your password?" lead="We’ll email you a link to set a new one." isNext={isAgain}>
      {isCodeFirst && (
        <Banner
          icon="mail"
          title="Log in with a code"
          action={
            <ButtonLink isSmall to="/login" hash={codeHash} icon="arrow">
              Email me a code
            </ButtonLink>
          }
        >
          {codeReason}
        </Banner>
      )}
      <form className="sheet sheet--pad auth__sheet" aria-label="Get a reset link" {...form}>
        <EmailField error={errors.email} />
        <Button type="submit" icon="mail" isBusy={isBusy} busyLabel="Sending…">
          Send the link
        </Button>
        <p className="auth__ways">
          <TextLink isTap to="/login">
            Back to Login
          </TextLink>
        </p>
      </form>
    </AuthPage>
  )
}

const CheckYourEmail = ({ email, onAgain }: { email: string; onAgain: () => void }) => (
  <AuthPage title="CHECK YOUR EMAIL" isNext>
    <div className="sheet sheet--pad auth__sheet">
      <p>
        If <b>{email}</b> has an account, we’ve emailed it a link. It works once, within 60 minutes.
      </p>
      <p className="second">Nothing there? Check your junk folder, or try a different email.</p>
      <p className="auth__ways">
        <ButtonLink look="line" to="/login">
          Back to Login
        </ButtonLink>
        <Button look="bare" onClick={onAgain}>
          Try Different Email
        </Button>
      </p>
    </div>
  </AuthPage>
)
