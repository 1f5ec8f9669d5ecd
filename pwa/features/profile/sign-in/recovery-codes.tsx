import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useProof } from '#pwa/features/auth/proof/use-proof.tsx'
import { parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { RecoveryCodes } from '#shared/contract/sign-in.ts'
import { plural } from '#shared/rules/plural.ts'
import { type SignInMethodProps, useSignInMethodsRefresh } from './queries.ts'

/** How many an owner has left; those that were just made, which are shown this once. */
export function RecoveryCodesSection({
  session,
  user,
  ways,
  codes,
  onCodes,
}: SignInMethodProps & { codes: readonly string[] }) {
  const left = ways.secondFactor?.recoveryCodes ?? 0
  const prove = useProof()
  const renew = useSignInMethodsRefresh({ memberId: user.id })
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      prove(() => parseResponse(RecoveryCodes, session.api.api.admin['second-factor']['recovery-codes'].post())),
    onSuccess: ({ recoveryCodes }) => {
      onCodes(recoveryCodes)
      return renew()
    },
  })
  return (
    <section className="sheet account__sheet" aria-labelledby="recovery-title">
      <h2 className="panel__title" id="recovery-title">
        Recovery codes
      </h2>
      {codes.length > 0 ? (
        <NewCodes codes={codes} onDone={() => onCodes([])} />
      ) : (
        <>
          <p>Lost your phone? Each code gets you in once. You have {plural(left, 'code')} left.</p>
          {error && (
            <Banner tone="bad" role="alert" title={messageOf(error, 'We couldn’t make the codes. Try again.')} />
          )}
          <Button look="line" isSmall isBusy={isPending} onClick={() => mutate()}>
            Make new codes
          </Button>
        </>
      )}
    </section>
  )
}

function NewCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const box = useRef<HTMLDivElement>(null)
  const toast = useToast()
  useEffect(() => box.current?.focus(), [])
  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => toast({ title: 'Copied', description: 'Paste them somewhere that isn’t this device.', tone: 'ok' }),
      () =>
        toast({
          title: 'We couldn’t copy them',
          description: 'This browser won’t allow it. Write them down.',
          tone: 'bad',
        }),
    )
  return (
    <div className="account__codes" ref={box} tabIndex={-1}>
      <Banner title="Write these down now">
        We only show them once. Keep them on paper, away from your phone. Your old codes have stopped working.
      </Banner>
      <ol>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="account__acts">
        <Button icon="tick" onClick={onDone}>
          I’ve written them down
        </Button>
        <Button look="line" onClick={copy}>
          Copy
        </Button>
      </div>
    </div>
  )
}
