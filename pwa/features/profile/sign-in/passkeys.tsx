import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { canUsePasskeys, makePasskey } from '#pwa/features/auth/passkey-queries.ts'
import { useProof } from '#pwa/features/auth/proof/use-proof.tsx'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { Done } from '#shared/contract/auth.ts'
import { type Passkey, PasskeyName, RecoveryCodes } from '#shared/contract/sign-in.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { type SignInMethodProps, useSignInMethodsRefresh } from './queries.ts'

/** Keys that a phone or computer holds: named, added, removed. */
export function PasskeysSection(props: SignInMethodProps) {
  const { passkeys } = props.ways
  return (
    <>
      <p>Log in with your finger, your face or your phone’s PIN. No one can guess it or trick you out of it.</p>
      {props.user.isAdmin && <p>It counts as two-step login too: your password on its own won’t let you in.</p>}
      {passkeys.length > 0 ? (
        <ul className="account__rows">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} {...props} passkey={passkey} />
          ))}
        </ul>
      ) : (
        <p className="second">No passkeys yet.</p>
      )}
      {!canUsePasskeys() ? (
        <p className="second">This browser can’t use passkeys.</p>
      ) : props.ways.hasPassword ? (
        <AddForm {...props} />
      ) : (
        <p className="second">Set a password first. It’s your way in if you lose your phone.</p>
      )}
    </>
  )
}

/** The browser only says this about a device that has a passkey for this account. */
const alreadyHere = 'This device already has a passkey for you.'
const notMade = 'We couldn’t add a passkey. Try again, and say yes when your device asks.'

function AddForm({ session, user, onCodes }: SignInMethodProps) {
  const formRef = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const prove = useProof()
  const toast = useToast()
  const renew = useSignInMethodsRefresh({ memberId: user.id })
  const { form, errors, isBusy } = useValidatedForm({
    schema: PasskeyName,
    send: async ({ name }) => {
      setProblem(null)
      const answer = await prove(() => makePasskey(session.api))
      return await prove(() => parseResponse(RecoveryCodes, session.api.api.user.passkeys.post({ name, answer })))
    },
    onDone: ({ recoveryCodes }, { name }) => {
      formRef.current?.reset()
      onCodes(recoveryCodes)
      // The member has to read new codes, and a toast would cover them.
      if (recoveryCodes.length === 0)
        toast({ title: 'Passkey added', description: `You can log in with “${name}” from now on.`, tone: 'ok' })
      renew().catch(reportError)
    },
    onFail: (error) => setProblem(messageOf(error, error.name === 'InvalidStateError' ? alreadyHere : notMade)),
  })
  return (
    <form {...form} ref={formRef} className="profile__form" aria-label="Add a passkey">
      {problem && <Banner tone="bad" role="alert" title={problem} />}
      <TextField
        label="Name this device"
        name="name"
        autoComplete="off"
        hint="My phone, for example"
        error={errors.name}
      />
      <div className="acts">
        <Button type="submit" icon="lock" isBusy={isBusy} busyLabel="Waiting for the device…">
          Add a passkey
        </Button>
      </div>
    </form>
  )
}

function PasskeyRow({ session, user, passkey }: SignInMethodProps & { passkey: Passkey }) {
  const { id, name, createdAt, lastUsedAt } = passkey
  const [isAsking, setAsking] = useState(false)
  const prove = useProof()
  const toast = useToast()
  const renew = useSignInMethodsRefresh({ memberId: user.id })
  const { mutate, isPending } = useMutation({
    mutationFn: () => prove(() => parseResponse(Done, session.api.api.user.passkeys({ id }).delete())),
    onSuccess: () => {
      toast({ title: 'Passkey removed', description: `You can’t log in with “${name}” any more.`, tone: 'ok' })
      return renew()
    },
    onError: (error) => {
      toast({ title: 'We couldn’t remove the passkey', description: messageOf(error, 'Try again.'), tone: 'bad' })
      return renew()
    },
    onSettled: () => setAsking(false),
  })
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <p className="second">
          Added {formatLongDate(createdAt)}. {lastUsedAt ? `Last used ${formatLongDate(lastUsedAt)}.` : 'Not used yet.'}
        </p>
      </div>
      <div className="account__acts">
        {isAsking && (
          <Button look="bad" isSmall isBusy={isPending} onClick={() => mutate()} aria-label={`Remove ${name} for good`}>
            Remove it
          </Button>
        )}
        <Button
          look="line"
          isSmall
          disabled={isPending}
          onClick={() => setAsking(!isAsking)}
          aria-label={`${isAsking ? 'Keep' : 'Remove'} ${name}`}
        >
          {isAsking ? 'Keep it' : 'Remove'}
        </Button>
      </div>
    </li>
  )
}
