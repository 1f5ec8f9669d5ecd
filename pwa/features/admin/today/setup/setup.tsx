import { queryOptions, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { ExportButton } from '#pwa/features/admin/kit/export-button.tsx'
import { ForHost } from '#pwa/features/admin/kit/for-host.tsx'
import type { PlaceTarget } from '#pwa/features/admin/kit/part.tsx'
import { PlaceLink } from '#pwa/features/admin/kit/part.tsx'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { deviceStorage } from '#pwa/lib/storage.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { Tape } from '#pwa/ui/tape.tsx'
import { SetupCheck, type SetupItem, type SetupRefusal, SetupState } from '#shared/contract/setup.ts'
import { plural } from '#shared/rules/plural.ts'
import { isReadyForLive } from '#shared/rules/readiness.ts'
import { isSettled, nextText, readyText, setupTexts, stateTexts, stateTones } from './setup-texts.ts'
import './setup.css'

const Leftovers = lazy(() => loadFile(() => import('./leftovers.tsx')))

const setupQuery = queryOptions({
  queryKey: [adminKey, 'setup'],
  queryFn: () => parseResponse(SetupState, api.api.admin.setup.get()),
  staleTime: 60_000,
  refetchOnReconnect: true,
})

/** Each device remembers whether it’s folded. It starts folded, so that the day’s work comes first. */
const foldedKey = 'admin-setup-folded'
const isFoldedHere = () => deviceStorage.getItem(foldedKey) !== 'no'

const forLive = 'Save the file for the live site'

/** Leaves once the site is live and nothing is left to do. */
export default function SetupSection() {
  const { data } = useQuery(setupQuery)
  const [isFolded, setFolded] = useState(isFoldedHere)
  if (data === undefined) return null
  const isWhole = data.items.every(isSettled) && data.refusals.length === 0 && isReadyForLive(data.unfinished)
  // Move in has the file too.
  if (isWhole && data.isLive) return null
  const fold = () => {
    setFolded(!isFolded)
    deviceStorage.setItem(foldedKey, isFolded ? 'no' : 'yes')
  }
  return (
    <section className="sheet setup" aria-labelledby="setup">
      <div className="setup__top">
        <h2 className="label" id="setup">
          Setup checklist
        </h2>
        <p className="setup__sum" role="status">
          {isWhole ? 'All set up. You’re ready to go live.' : nextText(data)}
        </p>
        {isWhole ? (
          <ExportButton label={forLive} />
        ) : (
          <Button look="line" isSmall aria-expanded={!isFolded} onClick={fold}>
            {isFolded ? 'Show checklist' : 'Hide'}
          </Button>
        )}
      </div>
      {!isWhole && !isFolded && <SetupDetails {...data} />}
    </section>
  )
}

const SetupDetails = ({ items, refusals, unfinished, isLive }: SetupState) => (
  <>
    <Tape label="Set up" value={items.filter(isSettled).length} max={items.length} isSmall />
    <ol className="setup__list">
      {items.map((item) => (
        <Row key={item.name} {...item} isNext={item === items.find((one) => !isSettled(one))} />
      ))}
    </ol>
    <p>
      Got members, posts or subscriptions somewhere else? <PlaceLink place="move-in">Move them in</PlaceLink>
    </p>
    <Suspense fallback={null}>
      <Leftovers unfinished={unfinished} />
    </Suspense>
    <GoLive refusals={refusals} isLive={isLive} />
  </>
)

/** One is open at a time: the next to do at first. */
function Row({ name, state, says, isNext }: SetupItem & { isNext: boolean }) {
  const { title, target, see, check } = setupTexts[name]
  const action = useAdminAction({
    schema: SetupCheck,
    send: () => api.api.admin.setup({ name }).check.post(),
    failure: 'We couldn’t check it.',
    done: ({ findings }) => ({
      title: findings.every(({ isFine }) => isFine) ? `${title}: fine` : `${title}: see the checklist`,
    }),
  })
  return (
    <li className={`setup__row setup__row--${state}`}>
      <details name="setup" open={isNext}>
        <summary>
          <h3>
            {title} <Badge tone={stateTones[state]}>{stateTexts[state]}</Badge>
          </h3>
        </summary>
        <p className="second">{says}</p>
        {'environment' in target && state !== 'done' && (
          <ForHost>
            <p>
              Set it in .env: <code>{target.environment}</code>
            </p>
          </ForHost>
        )}
        <Findings findings={action.data?.findings} problem={action.problem} />
        <div className="setup__acts">
          {'place' in target && (
            <PlaceLink {...target}>
              Set it<span className="vh">: {title}</span>
            </PlaceLink>
          )}
          {see !== null && (
            <TextAnchor href={see} target="_blank" aria-label={`See it: ${title} (opens in a new tab)`}>
              See it
            </TextAnchor>
          )}
          <Button
            look="line"
            isSmall
            isBusy={action.isPending}
            busyLabel="Trying…"
            aria-label={`${check}: ${title}`}
            onClick={() => action.mutate()}
          >
            {check}
          </Button>
        </div>
      </details>
    </li>
  )
}

type FindingsProps = { findings: SetupCheck['findings'] | undefined; problem: string | null }

const Findings = ({ findings, problem }: FindingsProps) => (
  <ul className="setup__findings" aria-live="polite">
    {problem && <Finding isFine={false} says={problem} />}
    {findings?.map((finding) => (
      <Finding key={finding.says} {...finding} />
    ))}
  </ul>
)

const Finding = ({ isFine, says }: SetupCheck['findings'][number]) => (
  <li className={isFine ? 'setup__finding setup__finding--ok' : 'setup__finding setup__finding--bad'}>
    <Icon name={isFine ? 'tick' : 'cross'} />
    <span>{says}</span>
  </li>
)

/** Runs the server’s own start-up check for live keys. The file carries this site’s content over to the live one. */
const GoLive = ({ refusals, isLive }: Pick<SetupState, 'refusals' | 'isLive'>) => (
  <div className="setup__live">
    <h3>Ready to go live?</h3>
    {refusals.length === 0 ? (
      <p>{isLive ? 'It’s live already, and nothing here would stop it starting again.' : readyText}</p>
    ) : (
      <>
        <p>
          {isLive ? 'It’s live, but it wouldn’t start again' : 'Not yet'}. {plural(refusals.length, 'thing')} to fix
          first:
        </p>
        <ul className="setup__refusals">
          {refusals.map((refusal) => (
            <Refusal key={`${refusal.where} ${refusal.says}`} {...refusal} />
          ))}
        </ul>
        <ForHost>
          <dl>
            {refusals.map(({ says, where }) => (
              <div key={`${where} ${says}`}>
                <dt>{says}</dt>
                <dd>
                  <code>{where}</code>
                </dd>
              </div>
            ))}
          </dl>
        </ForHost>
      </>
    )}
    <ExportButton label={forLive} />
  </div>
)

const Refusal = ({ says, target }: SetupRefusal) => (
  <li>
    {says}.{' '}
    {target === null ? (
      'Whoever hosts your site sets it.'
    ) : (
      <PlaceLink {...placeOf(target)}>
        Fix it<span className="vh">: {says}</span>
      </PlaceLink>
    )}
  </li>
)

const placeOf = (target: NonNullable<SetupRefusal['target']>): PlaceTarget => ({
  place: 'group' in target ? 'settings' : 'words',
  search: target,
})
