import { lazy, Suspense, useState } from 'react'
import { loadFile } from '#pwa/lib/load-file.ts'
import { Button } from '#pwa/ui/button.tsx'
import type { MemberRecord } from '#shared/contract/member-record.ts'
import { type CreditAnswer, creditText } from '#shared/rules/credit.ts'

const CreditDialog = lazy(() =>
  loadFile(() => import('./dialogs/credit-dialog.tsx')).then((file) => ({ default: file.CreditDialog })),
)

type Props = { record: MemberRecord; name: string }
type Chosen = { id: string; answer: CreditAnswer }

/** What’s on their balance at Stripe and may be money or goodwill. Most members have none. */
export function CreditsSection({ record: { credits }, name }: Props) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const credit = credits.find(({ id }) => id === chosen?.id)
  if (credits.length === 0) return null
  return (
    <section className="sheet person__part" aria-label="Credit">
      <h2>Credit</h2>
      {credits.map((one) => (
        <div key={one.id} className="person__credit">
          <p>{creditText(one)}</p>
          {one.counts !== 'debit' && (
            <div className="acts">
              {answersTo(one).map((answer) => (
                <Button
                  key={answer}
                  isSmall
                  look="line"
                  aria-haspopup="dialog"
                  onClick={() => setChosen({ id: one.id, answer })}
                >
                  {labels[answer]}
                </Button>
              ))}
            </div>
          )}
        </div>
      ))}
      {chosen && credit && (
        <Suspense>
          <CreditDialog credit={credit} name={name} answer={chosen.answer} onClose={() => setChosen(null)} />
        </Suspense>
      )}
    </section>
  )
}

const labels: Record<CreditAnswer, string> = { money: 'This was money', goodwill: 'This was goodwill' }

/** What they haven’t said yet. */
const answersTo = ({ answer }: MemberRecord['credits'][number]): CreditAnswer[] =>
  (['money', 'goodwill'] as const).filter((one) => one !== answer)
