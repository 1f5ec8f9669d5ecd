import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { answerWithPasskey, canUsePasskeys, noPasskey } from '#pwa/features/auth/passkey-queries.ts'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { PasswordField } from '#pwa/ui/field.tsx'
import { Done, PasswordProof } from '#shared/contract/auth.ts'
import './proof.css'

type Props = { why: string; isEachTime: boolean; onAnswer: (isProven: boolean) => void }

/** Lies over what is open, which keeps its input and carries on once the password is right. */
export default function ProofDialog({ why, isEachTime, onAnswer }: Props) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const [problem, setProblem] = useState<string | null>(null)
  const { form, errors, isBusy } = useValidatedForm({
    schema: PasswordProof,
    send: (request) => {
      setProblem(null)
      return parseResponse(Done, api.api.auth.proof.post(request))
    },
    onDone: () => onAnswer(true),
    onFail: (error) => setProblem(messageOf(error, 'We couldn’t check your password. Try again.')),
  })
  const byPasskey = useMutation({
    mutationFn: async () => {
      setProblem(null)
      const answer = await answerWithPasskey(api)
      return parseResponse(Done, api.api.auth.proof.post({ answer }))
    },
    onSuccess: () => onAnswer(true),
    onError: (error) => setProblem(messageOf(error, noPasskey)),
  })
  return (
    <Dialog isOpen onClose={() => onAnswer(false)} title="Enter your password">
      <form {...form} className="proof" aria-label="Your password">
        <p>
          {why} {!isEachTime && 'We won’t ask again for ten minutes.'}
        </p>
        {problem && !errors.password && <Banner tone="bad" role="alert" title={problem} />}
        <PasswordField
          ref={field}
          label={<RequiredLabel label="Your password" />}
          name="password"
          required
          autoComplete="current-password"
          error={errors.password}
        />
        <div className="acts">
          <Button type="submit" isBusy={isBusy} busyLabel="Checking…">
            Carry on
          </Button>
          {canUsePasskeys() && (
            <Button look="line" icon="lock" isBusy={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
              Use a passkey
            </Button>
          )}
          <Button look="line" onClick={() => onAnswer(false)}>
            Not now
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
