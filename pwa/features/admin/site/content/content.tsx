import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import * as v from 'valibot'
import { pageGroups } from '#pwa/features/admin/kit/content-texts.ts'
import { ListState } from '#pwa/features/admin/kit/list/list.tsx'
import { PlaceLink } from '#pwa/features/admin/kit/part.tsx'
import { loadFile } from '#pwa/lib/load-file.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { ContentPage } from '#shared/contract/admin-content.ts'
import type { UnfinishedEntry } from '#shared/contract/content-check.ts'
import { isWithin } from '#shared/rules/overrides.ts'
import { plural } from '#shared/rules/plural.ts'
import { contentQuery, type requestContent } from './queries.ts'
import './content.css'

/** A chunk of its own: it brings the schemas of every page. */
const PageEditor = lazy(() => loadFile(() => import('./page-editor.tsx')))

export default function ContentSection() {
  const { page, part, entry }: Record<string, unknown> = useSearch({ strict: false })
  const known = v.is(ContentPage, page) ? page : null
  if (known === null) return <WordList />
  return (
    <Suspense fallback={<Skeleton size="block" />}>
      <PageEditor key={known} page={known} part={wordOf(part)} entry={wordOf(entry)} />
    </Suspense>
  )
}

const wordOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

function WordList() {
  const { data, ...state } = useQuery(contentQuery)
  return (
    <>
      <div className="panel__top">
        <h2>Content</h2>
      </div>
      <p className="panel__note">
        Edit anything on the site. Nothing goes live until you publish. Business details and booking links:{' '}
        <PlaceLink place="settings">Settings</PlaceLink>. A notice for members:{' '}
        <PlaceLink place="announcements">Announcements</PlaceLink>
      </p>
      <ListState {...state} />
      <div className="words__index">
        {pageGroups.map(({ title, rows }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <ul>
              {rows.map((row) => (
                <Row key={row.label} {...row} marks={data === undefined ? [] : marksOf(row, data)} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}

type Row = (typeof pageGroups)[number]['rows'][number]
type Mark = { tone: 'ok' | 'wait' | 'bad'; text: string }

const Row = ({ page, part, label, says, marks }: Row & { marks: readonly Mark[] }) => (
  <li>
    <div>
      <PlaceLink place="words" search={part === undefined ? { page } : { page, part }}>
        {label}
      </PlaceLink>
      {says && <small>{says}</small>}
    </div>
    <span className="words__marks">
      {marks.map(({ tone, text }) => (
        <Badge key={text} tone={tone}>
          {text}
        </Badge>
      ))}
    </span>
  </li>
)

type Known = Awaited<ReturnType<typeof requestContent>>

const fileOf = (page: string) =>
  page === 'site' || page === 'mails' ? `data/content/${page}.json` : `data/content/pages/${page}.json`

function marksOf({ page, part = '' }: Row, { changes, drafts, unfinished }: Known): Mark[] {
  const own = changes
    .filter((change) => change.page === page)
    .flatMap(({ overrides }) => overrides.filter(({ entry }) => isWithin(entry, part)))
  const isHere = ({ file, entry }: UnfinishedEntry) => file === fileOf(page) && isWithin(entry, part)
  const samples = unfinished.filter((one) => isHere(one) && (one.kind === 'claim' || one.kind === 'contact'))
  const unfit = unfinished.filter((one) => isHere(one) && one.kind === 'unfit')
  return [
    ...(part === '' && drafts.some((draft) => draft.page === page) ? [{ tone: 'wait', text: 'Draft' } as const] : []),
    ...(unfit.length > 0 ? [{ tone: 'bad', text: 'Needs fixing' } as const] : []),
    ...(samples.length > 0 ? [{ tone: 'wait', text: plural(samples.length, 'sample') } as const] : []),
    ...(own.length > 0 ? [{ tone: 'ok', text: 'Yours' } as const] : []),
  ]
}
