import { type ReactNode, useState } from 'react'
import { labelOf } from '#pwa/features/admin/kit/content-texts.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import type { Field } from '#shared/contract/text-fields.ts'
import { PageText } from '#shared/contract/texts/parts.ts'
import { isWithin, type Override } from '#shared/rules/overrides.ts'
import { EntryField, GroupField } from './field.tsx'
import type { Form } from './use-page-draft.ts'

type Props = {
  field: Field
  value: unknown
  form: Form
  /** Show only this part; undefined shows all. */
  part: string | undefined
  /** The text last pressed in the iframe, and when: its part unfolds. */
  opened: { path: string; at: number } | null
  changed: readonly Override[]
}

type Entry = Extract<Field, { kind: 'group' }>['entries'][number]

const isParts = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isLarge = ({ field: { kind } }: Entry) => kind === 'group' || kind === 'list' || kind === 'variants'

/** Owners come for what’s on the page, and took its title in search results for the heading. */
const isForSearch = ({ name }: Entry) => name in PageText.entries

export function PartsForm({ field, value, form, part, opened, changed }: Props) {
  if (field.kind !== 'group') return null
  const parts = isParts(value) ? value : {}
  const wanted = field.entries.filter(({ name }) => part === undefined || name === part)
  const entries = wanted.length === 0 ? field.entries : wanted
  const isPage = entries.some(({ name }) => name === 'title') && entries.some(({ name }) => name === 'description')
  const forSearch = isPage ? entries.filter(isForSearch) : []
  const onPage = entries.filter((entry) => !forSearch.includes(entry))
  const single = onPage.filter((entry) => !isLarge(entry))
  const large = onPage.filter(isLarge)
  const group = (some: readonly Entry[]) => (
    <GroupField field={{ kind: 'group', entries: [...some] }} path="" value={value} form={form} />
  )
  const stateOf = (names: readonly string[]) => ({
    openedAt: opened !== null && names.some((name) => isWithin(opened.path, name)) ? opened.at : null,
    isChanged: changed.some(({ entry }) => names.some((name) => isWithin(entry, name))),
    isFaulty: Object.keys(form.problems).some((problem) => names.some((name) => isWithin(problem, name))),
  })
  return (
    // Drafts save themselves, so there’s nothing to submit.
    <form className="words__form" aria-label="Content" onSubmit={(event) => event.preventDefault()}>
      {single.length > 0 && group(single)}
      {large.map((entry) => (
        <Part
          key={entry.name}
          title={labelOf(entry.name)}
          isOpen={onPage.length === 1 && forSearch.length === 0}
          {...stateOf([entry.name])}
        >
          {entry.isOptional ? (
            group([entry])
          ) : (
            <EntryField field={entry.field} path={entry.name} value={parts[entry.name]} form={form} />
          )}
        </Part>
      ))}
      {forSearch.length > 0 && (
        <Part title="In search results" isOpen={onPage.length === 0} {...stateOf(forSearch.map(({ name }) => name))}>
          {group(forSearch)}
        </Part>
      )}
    </form>
  )
}

type PartProps = {
  title: string
  isOpen: boolean
  openedAt: number | null
  isChanged: boolean
  isFaulty: boolean
  children: ReactNode
}

function Part({ title, isOpen, openedAt, isChanged, isFaulty, children }: PartProps) {
  const [unfolded, setUnfolded] = useState<{ isUnfolded: boolean; openedAt: number | null }>({
    isUnfolded: isOpen,
    openedAt: null,
  })
  const { isUnfolded } = unfolded
  // During this render, not in an effect: the field must exist when `usePressedField` focuses it.
  if (openedAt !== null && unfolded.openedAt !== openedAt) setUnfolded({ isUnfolded: true, openedAt })
  const fold = (isNow: boolean) => setUnfolded({ isUnfolded: isNow, openedAt })
  return (
    <details className="words__part" open={isUnfolded} onToggle={({ currentTarget }) => fold(currentTarget.open)}>
      <summary>
        <h3>{title}</h3> {isChanged && <Badge tone="wait">In your draft</Badge>}{' '}
        {isFaulty && <Badge tone="bad">Check this</Badge>}
      </summary>
      {isUnfolded && children}
    </details>
  )
}
