import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '#pwa/lib/api.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { CardSetup, type PaymentMethod } from '#shared/contract/billing.ts'
import { CardPanel } from './card-panel.tsx'
import { cardChangeWords } from './charge-words.ts'
import { methodQuery, useDesk, useSayDone } from './desk.ts'
import { expiryOf, nameOfMethod } from './method-words.ts'
import { returnPathOf } from './returned.ts'
import { focusSection, Section, sectionId } from './section.tsx'
import { isPaidUp, type Settled, useSettle } from './settle.ts'

/** How the member pays, and the way to another card. */
export function PaymentMethodSection() {
  const desk = useDesk()
  const method = useQuery(methodQuery(desk))
  const [isChanging, setChanging] = useState(false)
  const close = () => {
    setChanging(false)
    focusSection('method')
  }
  return (
    <Section name="method" title="Payment method" query={method}>
      {(found) => (
        <>
          {found ? <Method method={found} /> : <p>No card is on file.</p>}
          {isChanging ? (
            <NewCard onClose={close} />
          ) : (
            desk.actions.changeCard && (
              <Button
                look="line"
                isSmall
                icon={desk.hasSignal ? undefined : 'nosignal'}
                disabled={!desk.hasSignal}
                onClick={() => setChanging(true)}
              >
                {desk.hasSignal ? (found ? 'Change card' : 'Add a card') : 'Needs signal'}
              </Button>
            )
          )}
        </>
      )}
    </Section>
  )
}

function Method({ method }: { method: PaymentMethod }) {
  const expiry = expiryOf(method, new Date())
  return (
    <p className="billing__method">
      <b>{nameOfMethod(method)}</b>
      {expiry?.state === 'good' && <span>{expiry.words}</span>}
      {expiry && expiry.state !== 'good' && (
        <Badge tone={expiry.state === 'over' ? 'bad' : 'open'} icon="warn">
          {expiry.words}
        </Badge>
      )}
    </p>
  )
}

function NewCard({ onClose }: { onClose: () => void }) {
  const { session, memberId, billing } = useDesk()
  const queryClient = useQueryClient()
  const setup = useQuery({
    queryKey: ['billing-card', memberId],
    queryFn: () => ask(CardSetup, session.api.api.billing.card.post()),
    gcTime: 0,
    networkMode: 'always',
    refetchOnReconnect: true,
  })
  const settle = useSettle()
  const sayDone = useSayDone()
  const finish = async () => {
    const settled = await settle().catch(() => null)
    queryClient.removeQueries({ queryKey: ['billing-card', memberId] })
    onClose()
    const [title, text] = settled ? changedWords(settled) : notYet
    sayDone(title, text, sectionId('method'))
  }
  return (
    <CardPanel
      heading="Another card"
      clientSecret={setup.data?.clientSecret}
      error={setup.error}
      onRetry={() => setup.error && setup.refetch()}
      consent={cardChangeWords(billing)}
      action="Save this card"
      busyLabel="Saving…"
      texts={texts}
      returnPath={returnPathOf('card')}
      keep="Keep it as it is"
      onKeep={onClose}
      onConfirmed={() => void finish()}
    />
  )
}

const changedWords = ({ now, method }: Settled): [string, string] => [
  'Card changed',
  `${method ? nameOfMethod(method) : 'It'} is charged from now on. Nothing was taken.${
    isPaidUp(now) ? '' : ' The open invoice still waits: you can pay it above.'
  }`,
]

const notYet: [string, string] = ['Card saved', 'It shows here as soon as the site can be reached.']

const texts = {
  rejectedTitle: 'Card not changed',
  rejectedMessage: 'Your card stays as it was. Please try again.',
  errorToast: { title: 'Card not changed', description: 'Your card stays as it was. Please try again.' },
}
