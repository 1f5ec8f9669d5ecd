import { useQuery } from '@tanstack/react-query'
import * as v from 'valibot'
import { entryLabel } from '#pwa/features/admin/kit/content-texts.ts'
import { ListState } from '#pwa/features/admin/kit/list/list.tsx'
import { differenceOf, linesOf } from '#pwa/lib/text-difference.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { ContentHistoryEntry, ContentPage } from '#shared/contract/admin-content.ts'
import { Photograph, shippedLogo } from '#shared/contract/site-content.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { entryAt, type Override } from '#shared/rules/overrides.ts'
import { pictureAddress } from '#shared/values/media.ts'
import { historyQuery } from './queries.ts'

type DifferenceProps = { before: unknown; after: unknown }

/** Pictures as pictures, and texts with what’s gone and what’s new. */
function Difference({ before, after }: DifferenceProps) {
  const pictures = [before, after].map(pictureIn)
  if (pictures.every((picture) => picture === null))
    return <TextDifference before={linesOf(before)} after={linesOf(after)} />
  return (
    <>
      <div className="words__pair">
        {pictures.map((picture, at) => (
          <figure key={at === 0 ? 'before' : 'after'}>
            <figcaption className="second">{at === 0 ? 'Before' : 'After'}</figcaption>
            {picture === null ? <p>No picture</p> : <img src={picture} alt="" width={96} height={96} />}
          </figure>
        ))}
      </div>
      <TextDifference before={altIn(before)} after={altIn(after)} />
    </>
  )
}

const isAddress = (value: unknown): value is string =>
  value === shippedLogo || (typeof value === 'string' && pictureAddress.test(value))

const pictureIn = (value: unknown): string | null =>
  v.is(Photograph, value) ? value.image : isAddress(value) ? value : null

const altIn = (value: unknown): string => (v.is(Photograph, value) ? value.alt : '')

/** Marked by more than colour (WCAG 1.4.1). */
const TextDifference = ({ before, after }: { before: string; after: string }) => (
  <p className="words__diff">
    {differenceOf(before, after).map(({ kind, text }, at) => {
      const key = `${at}${kind}`
      if (kind === 'gone') return <del key={key}>{text}</del>
      return kind === 'new' ? <ins key={key}>{text}</ins> : <span key={key}>{text}</span>
    })}
  </p>
)

export const ChangeList = ({ entries, published }: { entries: readonly Override[]; published: unknown }) => (
  <ul className="words__changes">
    {entries.map(({ entry, value }) => (
      <li key={entry}>
        <h3>{entryLabel(entry)}</h3>
        <Difference before={entryAt(published, entry)} after={value} />
      </li>
    ))}
  </ul>
)

type HistoryProps = {
  page: ContentPage
  /** The shipped texts, which are what an entry’s first change replaced. */
  originals: ReadonlyMap<string, unknown>
  published: unknown
  onRestore: (entry: string, value: unknown) => void
  onClose: () => void
}

/** Its buttons put a text into the draft, not on the site. */
export function HistoryDialog({ page, originals, published, onRestore, onClose }: HistoryProps) {
  const { data, ...state } = useQuery(historyQuery(page))
  return (
    <Dialog isOpen isWide onClose={onClose} title="What’s changed">
      <ListState {...state} />
      {data === undefined && state.error === null && <Skeleton size="block" />}
      {data?.length === 0 && <p>Nothing yet. You haven’t changed this page.</p>}
      <ul className="words__changes">
        {data?.map((change, at) => (
          <Change
            key={change.version}
            change={change}
            before={beforeOf(data, at, originals)}
            isCurrent={entryAt(published, change.entry) === change.value}
            onRestore={onRestore}
          />
        ))}
      </ul>
    </Dialog>
  )
}

/** The entry’s previous value, or the shipped one. */
function beforeOf(all: readonly ContentHistoryEntry[], at: number, originals: ReadonlyMap<string, unknown>): unknown {
  const earlier = all.slice(at + 1).find(({ entry }) => entry === all[at]?.entry)
  return earlier?.value ?? originals.get(all[at]?.entry ?? '')
}

type ChangeProps = {
  change: ContentHistoryEntry
  before: unknown
  isCurrent: boolean
  onRestore: HistoryProps['onRestore']
}

const Change = ({ change: { entry, value, by, at }, before, isCurrent, onRestore }: ChangeProps) => (
  <li>
    <h3>{entryLabel(entry)}</h3>
    <p className="second">
      {by.name ?? 'The site itself'}, {formatMoment(at)}
      {value === null && ': back to the original'}
    </p>
    {value !== null && <Difference before={before} after={value} />}
    <div className="acts">
      {value !== null && !isCurrent && (
        <Button look="line" isSmall onClick={() => onRestore(entry, value)}>
          Use this again
        </Button>
      )}
      {before !== undefined && before !== null && (
        <Button look="line" isSmall icon="undo" onClick={() => onRestore(entry, before)}>
          Undo this change
        </Button>
      )}
    </div>
  </li>
)
