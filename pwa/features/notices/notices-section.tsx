import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { InstallSteps } from '#pwa/features/chrome/install-steps.tsx'
import { otherStorage } from '#pwa/features/chrome/install-texts.ts'
import { type AccountProps, AccountSection } from '#pwa/features/profile/account/account-section.tsx'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { seeBrowser } from '#pwa/lib/see-browser.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { CheckField } from '#pwa/ui/field.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import type { NoticeChoice, NoticeChoiceChange, NoticeSettings } from '#shared/contract/notices.ts'
import { isAppleTouch } from '#shared/rules/browser-kind.ts'
import { type InstallWay, installWay } from '#shared/rules/install-way.ts'
import { plural } from '#shared/rules/plural.ts'
import { deniedTexts, kindTexts, mailLabels, notSetUp, onlyIfMissed } from './notices-texts.ts'
import { type PushWay, pushWay } from './phone-store.ts'
import { changeChoice, NotAllowed, noticesQuery, sendTest, switchOffHere, switchOnHere } from './queries.ts'
import './notices.css'

/** Which notices come to a phone, and whether they come to this one. Nobody's asked before they switch one on. */
export default function NoticesSection({ session, user }: AccountProps) {
  const { queryKey, ...options } = noticesQuery({ session, memberId: user.id })
  const query = useQuery({ queryKey, ...options })
  const queryClient = useQueryClient()
  const toast = useToast()
  const [way, setWay] = useState(pushWay)
  // What was pressed shows in the moment of the press: a switch that springs back looks like one that didn't take it.
  const [pressed, setPressed] = useState<NoticeChoiceChange>()
  const onSuccess = (settings: NoticeSettings) => queryClient.setQueryData(queryKey, settings)
  const onError = (error: Error) => {
    const now = pushWay()
    setWay(now)
    if (!(error instanceof NotAllowed))
      toast({
        title: 'We couldn’t save that',
        description: messageOf(error, error instanceof RequestError ? 'Try again.' : notSetUp),
        tone: 'bad',
      })
    // A browser that was only waved off asks again.
    else if (now === 'can')
      toast({ title: 'Notices are still off', description: 'Switch it on again, then choose Allow.', tone: 'bad' })
  }
  const change = useMutation({
    mutationFn: async (changed: NoticeChoiceChange) => {
      const isFirstHere = changed.byPush === true && query.data?.isSubscribed === false && way === 'can'
      // The press is what lets a browser ask.
      if (isFirstHere) await switchOnHere(session, query.data?.key ?? '')
      return changeChoice(session, changed)
    },
    onSuccess,
    onError,
    onSettled: () => setPressed(undefined),
  })
  const choose = (changed: NoticeChoiceChange) => {
    if (pressed || phone.isPending) return
    setPressed(changed)
    change.mutate(changed)
  }
  const phone = useMutation({
    mutationFn: (isOn: boolean) => (isOn ? switchOnHere(session, query.data?.key ?? '') : switchOffHere(session)),
    onSuccess,
    onError,
  })
  const isFixed = user.isImpersonating
  return (
    <>
      <AccountSection title="What your phone tells you" query={query}>
        {(settings) => (
          <>
            <p>
              You only get what you switch on. A notice says what it’s about, with no names or details. Between 8pm and
              7am we hold it until the morning.
            </p>
            <NoWay way={way} />
            {settings.choices.map((choice) => (
              <KindChoice
                key={choice.kind}
                choice={withChange(choice, pressed)}
                isFixed={isFixed}
                canPush={way === 'can' || settings.phones > 0}
                onChange={choose}
              />
            ))}
          </>
        )}
      </AccountSection>
      {query.data && way === 'can' && (
        <ThisPhone
          settings={query.data}
          isFixed={isFixed}
          isBusy={phone.isPending}
          onSwitch={phone.mutate}
          onTest={() => sendTest(session)}
          // Its push service may have dropped this phone.
          onTested={() => queryClient.invalidateQueries({ queryKey })}
        />
      )}
    </>
  )
}

const withChange = (choice: NoticeChoice, change: NoticeChoiceChange | undefined): NoticeChoice =>
  change?.kind === choice.kind ? { ...choice, ...change } : choice

type ChoiceProps = {
  choice: NoticeChoice
  isFixed: boolean
  canPush: boolean
  onChange: (change: NoticeChoiceChange) => void
}

function KindChoice({ choice: { kind, byPush, byMail }, isFixed, canPush, onChange }: ChoiceProps) {
  const { label, hint } = kindTexts[kind]
  const mailLabel = mailLabels[kind]
  return (
    <div className="notices__kind">
      <CheckField
        label={label}
        hint={hint}
        checked={byPush}
        disabled={isFixed || (!canPush && !byPush)}
        onChange={({ target }) => onChange({ kind, byPush: target.checked })}
      />
      {byMail !== null && mailLabel !== undefined && (
        <CheckField
          label={byPush ? `${mailLabel}${onlyIfMissed}` : mailLabel}
          checked={byMail}
          disabled={isFixed}
          onChange={({ target }) => onChange({ kind, byMail: target.checked })}
        />
      )}
    </div>
  )
}

/** Why notices can't come to this phone, and what to do about it. */
function NoWay({ way }: { way: PushWay }) {
  if (way === 'can') return null
  if (way === 'never')
    return (
      <Banner title="This browser can’t show notices">
        Open us in Chrome, Edge, Firefox or Safari to switch them on.
      </Banner>
    )
  const seen = seeBrowser()
  if (way === 'denied')
    return (
      <Banner tone="bad" title="Notices are blocked on this phone">
        {isAppleTouch(seen) ? deniedTexts.apple : deniedTexts.other}
      </Banner>
    )
  const install = installWay(seen, false)
  return (
    <div className="notices__install">
      <h3>On an iPhone, you need our app for notices</h3>
      <p>{installLead(install)}</p>
      {install && <InstallSteps way={install} />}
      {install?.kind === 'apple' && <p>{otherStorage(install)} Then switch notices on there.</p>}
    </div>
  )
}

/** Other browsers on an iPhone can’t add us, or we don’t know their steps. */
function installLead(install: InstallWay | null): string {
  if (install === null) return 'Open us in Safari to add us to your home screen.'
  return install.kind === 'leave'
    ? 'Open us in Safari first. Then add us to your home screen and switch notices on in the app.'
    : 'Add us to your home screen first, in three steps.'
}

type PhoneProps = {
  settings: NoticeSettings
  isFixed: boolean
  isBusy: boolean
  onSwitch: (isOn: boolean) => void
  onTest: () => Promise<unknown>
  onTested: () => Promise<unknown>
}

function ThisPhone({ settings: { isSubscribed, phones }, isFixed, isBusy, onSwitch, onTest, onTested }: PhoneProps) {
  const id = useId()
  const toast = useToast()
  const others = phones - (isSubscribed ? 1 : 0)
  const test = useMutation({
    mutationFn: onTest,
    onSuccess: () => toast({ title: 'Sent. It should be here in a moment.', tone: 'ok' }),
    onError: (error) =>
      toast({ title: 'It didn’t go', description: messageOf(error, 'Try again in a minute.'), tone: 'bad' }),
    onSettled: onTested,
  })
  return (
    <section className="sheet account__sheet" aria-labelledby={id}>
      <h2 className="panel__title" id={id}>
        This phone
      </h2>
      <p>{isSubscribed ? 'Your notices come to this phone.' : 'Your notices don’t come to this phone.'}</p>
      {others > 0 && <p className="second">{plural(others, 'other phone gets', 'other phones get')} them.</p>}
      <div className="notices__buttons">
        {isSubscribed && (
          <Button isSmall isBusy={test.isPending} onClick={() => test.mutate()}>
            Send a test notice
          </Button>
        )}
        <Button look="line" isSmall isBusy={isBusy} disabled={isFixed} onClick={() => onSwitch(!isSubscribed)}>
          {isSubscribed ? 'Stop notices on this phone' : 'Get notices on this phone'}
        </Button>
      </div>
    </section>
  )
}
