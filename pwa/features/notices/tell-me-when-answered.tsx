import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { deviceStorage } from '#pwa/lib/storage.ts'
import { useKeptFocus } from '#pwa/lib/use-kept-focus.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { pushWay } from './phone-store.ts'
import { changeChoice, NotAllowed, noticesQuery, switchOnHere } from './queries.ts'

/** Local storage: asked once. A logout deletes it. */
const askedKey = 'asked-answer-notice'

type Props = { session: AuthSession; memberId: string }

/** After a first question: whether the phone should say when it's answered. The one place besides Profile that asks. */
export default function TellMeWhenAnswered({ session, memberId }: Props) {
  const [isAsked] = useState(() => deviceStorage.getItem(askedKey) !== null || pushWay() !== 'can')
  const [isDeclined, setDeclined] = useState(false)
  const { queryKey, ...options } = noticesQuery({ session, memberId })
  const { data: settings } = useQuery({ queryKey, ...options, enabled: !isAsked })
  const queryClient = useQueryClient()
  const noteAsked = () => deviceStorage.setItem(askedKey, '1')
  const { mutate, isPending, isSuccess, isError, error } = useMutation({
    mutationFn: async (key: string) => {
      await switchOnHere(session, key)
      return changeChoice(session, { kind: 'answer', byPush: true })
    },
    onSuccess: (changed) => queryClient.setQueryData(queryKey, changed),
    onError: (failure) => failure instanceof NotAllowed && noteAsked(),
  })
  const isRefused = isDeclined || error instanceof NotAllowed
  const box = useRef<HTMLDivElement>(null)
  const isOn = settings?.isSubscribed && settings.choices.some(({ kind, byPush }) => kind === 'answer' && byPush)
  const isHidden = isAsked || settings === undefined || isOn
  useKeptFocus(box, `${isHidden} ${isSuccess || isRefused}`)
  if (isSuccess || isRefused)
    return (
      <div ref={box}>
        <div tabIndex={-1} data-next className="thread__kept">
          {isSuccess ? (
            <Banner role="status" tone="ok" title="We’ll tell you on this phone">
              You can switch it off in Profile, under Notices.
            </Banner>
          ) : (
            <Banner role="status" title={isDeclined ? 'We won’t send a notice for answers' : 'Notices are still off'}>
              Changed your mind? Switch {isDeclined ? 'it' : 'them'} on in Profile, under Notices.
            </Banner>
          )}
        </div>
      </div>
    )
  if (isHidden) return null
  return (
    <div ref={box}>
      <Banner
        title={isError ? 'We couldn’t switch that on' : 'Want to know when it’s answered?'}
        tone={isError ? 'bad' : 'plain'}
        icon={isError ? 'warn' : 'info'}
        role={isError ? 'alert' : undefined}
        action={
          <>
            <Button isSmall isBusy={isPending} onClick={() => mutate(settings.key)}>
              {isError ? 'Try again' : 'Tell me'}
            </Button>
            <Button
              look="bare"
              isSmall
              onClick={() => {
                noteAsked()
                setDeclined(true)
              }}
            >
              Not now
            </Button>
          </>
        }
      >
        {isError
          ? 'Try again, or switch it on later in Profile, under Notices.'
          : 'We’ll send a notice to this phone. If it’s after 8pm, you’ll get it at 7am.'}
      </Banner>
    </div>
  )
}
