import { entryLabel, pageLabels } from '#pwa/features/admin/kit/content-texts.ts'
import { PlaceLink } from '#pwa/features/admin/kit/part.tsx'
import { contentPageOf } from '#shared/contract/admin-content.ts'
import type { UnfinishedEntry } from '#shared/contract/content-check.ts'
import { excerptOf } from '#shared/rules/excerpt.ts'
import { plural } from '#shared/rules/plural.ts'
import { readinessLine, unfinishedKinds } from '#shared/rules/readiness.ts'

/** What an owner rewrites, the least avoidable first. Details that aren't set are listed with the settings. */
const kinds = ['contact', 'claim', 'name', 'trade', 'unfit'] as const

type Props = { unfinished: readonly UnfinishedEntry[] }

export default function Leftovers({ unfinished }: Props) {
  const texts = unfinished.filter(({ file }) => file !== 'settings')
  return (
    <div className="setup__live">
      <h3>What’s not yours yet?</h3>
      <p>{readinessLine(unfinished)}</p>
      {kinds.map((kind) => (
        <OfKind key={kind} kind={kind} found={texts.filter((one) => one.kind === kind)} />
      ))}
    </div>
  )
}

const OfKind = ({ kind, found }: { kind: UnfinishedEntry['kind']; found: readonly UnfinishedEntry[] }) =>
  found.length > 0 && (
    <details className="setup__kind">
      <summary>
        {unfinishedKinds[kind]}: {plural(found.length, 'place')}
      </summary>
      <ul className="setup__refusals">
        {found.map((one) => (
          <Leftover key={`${one.file} ${one.entry}`} {...one} />
        ))}
      </ul>
    </details>
  )

function Leftover({ file, entry, says }: UnfinishedEntry) {
  const page = contentPageOf(file)
  const label = page === null ? 'Tiers' : pageLabels[page]
  return (
    <li>
      {page === null ? (
        <PlaceLink place="tiers">{`${label} › ${entryLabel(entry)}`}</PlaceLink>
      ) : (
        <PlaceLink place="words" search={addressOf(page, entry)}>
          {entry === '' ? label : `${label} › ${entryLabel(entry)}`}
        </PlaceLink>
      )}{' '}
      {excerptOf(says, 90)}
    </li>
  )
}

/** Site and emails have a form for each part. */
function addressOf(page: string, entry: string): Record<string, string> {
  const [part = ''] = entry.split('.')
  return page === 'site' || page === 'mails' ? { page, part, entry } : { page, entry }
}
