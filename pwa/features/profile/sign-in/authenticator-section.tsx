import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useProof } from '#pwa/features/auth/proof/use-proof.tsx'
import { parseResponse } from '#pwa/lib/api.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { Done } from '#shared/contract/auth.ts'
import { AuthenticatorSetup } from '#shared/contract/sign-in.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { type SignInMethodProps, useSignInMethodsRefresh } from './queries.ts'

const SetupForm = lazy(() => loadFile(() => import('./authenticator-form.tsx')))

/** An owner's app that shows six digits, another six every half minute. */
export function AuthenticatorSection(props: SignInMethodProps) {
  const since = props.ways.secondFactor?.authenticatorSince
  return (
    <section className="sheet account__sheet" aria-labelledby="authenticator-title">
      <h2 className="panel__title" id="authenticator-title">
        Authenticator app {since && <Badge tone="ok">On</Badge>}
      </h2>
      {since ? <On {...props} since={since} /> : <Off {...props} />}
    </section>
  )
}

function Off(props: SignInMethodProps) {
  const { session } = props
  const prove = useProof()
  const { mutate, isPending, error, data, reset } = useMutation({
    mutationFn: () => prove(() => parseResponse(AuthenticatorSetup, session.api.api.admin['second-factor'].post())),
  })
  if (data)
    return (
      <Suspense fallback={<Skeleton size="block" />}>
        <SetupForm {...props} setup={data} onClose={reset} />
      </Suspense>
    )
  return (
    <>
      <p>
        Two-step login: when you log in we’ll ask for six digits from an app on your phone. Setting it up logs out your
        other browsers.
      </p>
      {error && <Banner tone="bad" role="alert" title={messageOf(error, 'We couldn’t start that. Try again.')} />}
      <Button look="line" icon="phone" isBusy={isPending} onClick={() => mutate()}>
        Set up an authenticator app
      </Button>
    </>
  )
}

function On({ session, user, since }: SignInMethodProps & { since: string }) {
  const [isAsking, setAsking] = useState(false)
  const prove = useProof()
  const toast = useToast()
  const renew = useSignInMethodsRefresh({ memberId: user.id })
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => prove(() => parseResponse(Done, session.api.api.admin['second-factor'].delete())),
    onSuccess: () => {
      toast({ title: 'Authenticator app removed', tone: 'ok' })
      return renew()
    },
    onSettled: () => setAsking(false),
  })
  return (
    <>
      <p>We’ve asked for its six digits at login since {formatLongDate(since)}.</p>
      {error && <Banner tone="bad" role="alert" title={messageOf(error, 'We couldn’t remove it. Try again.')} />}
      <div className="acts">
        {isAsking && (
          <Button look="bad" isSmall isBusy={isPending} onClick={() => mutate()}>
            Remove the app for good
          </Button>
        )}
        <Button look="line" isSmall disabled={isPending} onClick={() => setAsking(!isAsking)}>
          {isAsking ? 'Keep it' : 'Remove the app'}
        </Button>
      </div>
    </>
  )
}
