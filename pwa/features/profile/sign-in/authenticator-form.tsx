import { useEffect, useRef, useState } from 'react'
import { encode } from 'uqr'
import { useProof } from '#pwa/features/auth/proof/use-proof.tsx'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { KeepButton } from '#pwa/ui/keep-button.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { AuthenticatorRequest, type AuthenticatorSetup, RecoveryCodes } from '#shared/contract/sign-in.ts'
import { type SignInMethodProps, useSignInMethodsRefresh } from './queries.ts'

type Props = SignInMethodProps & { setup: AuthenticatorSetup; onClose: () => void }

export default function SetupForm({ session, user, setup, onCodes, onClose }: Props) {
  const title = useRef<HTMLHeadingElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const prove = useProof()
  const toast = useToast()
  const renew = useSignInMethodsRefresh({ memberId: user.id })
  useEffect(() => title.current?.focus(), [])
  const { form, errors, isBusy } = useValidatedForm({
    schema: AuthenticatorRequest,
    send: (body) => {
      setProblem(null)
      return prove(() => parseResponse(RecoveryCodes, session.api.api.admin['second-factor'].confirm.post(body)))
    },
    onDone: ({ recoveryCodes }) => {
      onCodes(recoveryCodes)
      // The member has to read new codes, and a toast would cover them.
      if (recoveryCodes.length === 0) toast({ title: 'Two-step login is on', tone: 'ok' })
      renew().catch(reportError)
    },
    onFail: (error) => setProblem(messageOf(error, 'We couldn’t check the code. Try again.')),
  })
  return (
    <form {...form} className="profile__form" aria-label="Set up an authenticator app">
      <h3 ref={title} tabIndex={-1}>
        Scan this with your authenticator app
      </h3>
      <QrCode text={setup.uri} />
      <p>
        No camera, or already on that phone? Type this key into the app:{' '}
        <code className="account__key">{setup.secret.match(/.{1,4}/g)?.join(' ')}</code>
      </p>
      {problem && !errors.code && <Banner tone="bad" role="alert" title={problem} />}
      <TextField
        label="The app’s six digits"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        error={errors.code}
      />
      <div className="acts">
        <Button type="submit" icon="tick" isBusy={isBusy} busyLabel="Checking…">
          Turn it on
        </Button>
        <KeepButton isBusy={isBusy} onClick={onClose}>
          Not now
        </KeepButton>
      </div>
    </form>
  )
}

/** Dark on light in both themes, with the margin cameras need. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return (
    <svg className="account__qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code for the app">
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={dark.join('')} />
    </svg>
  )
}
