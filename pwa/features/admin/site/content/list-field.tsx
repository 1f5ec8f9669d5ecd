import { type ComponentType, useId } from 'react'
import { labelOf, variantLabel } from '#pwa/features/admin/kit/content-texts.ts'
import { Button, IconButton } from '#pwa/ui/button.tsx'
import { SelectField } from '#pwa/ui/field.tsx'
import { blankOf, type Field, textsIn, variantOf } from '#shared/contract/text-fields.ts'
import { boundsText } from '#shared/rules/list-bounds.ts'
import { type FieldProps, idOf, nameIn, newId } from './use-page-draft.ts'

type Of<Kind extends Field['kind']> = Extract<Field, { kind: Kind }>

/** Passed in, because importing it would be circular. */
type Within = { Entry: ComponentType<FieldProps> }

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export function ListField({ field, path, value, form, Entry }: FieldProps<Of<'list'>> & Within) {
  const items = itemsOf(value)
  const put = (next: readonly unknown[]) => form.change(path, next)
  const problem = form.problems[path]
  const bounds = boundsText(field.least, field.most)
  const isFull = field.most !== null && items.length >= field.most
  return (
    <div className="words__list">
      {bounds && <p className="second">{bounds}.</p>}
      <ol>
        {items.map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a place is all that an item of words has
          <li key={at}>
            <ItemHead field={field} items={items} at={at} put={put} what={labelOf(nameIn(path))} />
            <Entry field={field.item} path={`${path}.${at}`} value={item} form={form} />
          </li>
        ))}
      </ol>
      {problem && (
        <p className="field__err" role="alert">
          {problem}
        </p>
      )}
      {!isFull && (
        <Button look="line" isSmall onClick={() => put([...items, blankOf(field.item, newId)])}>
          Add to {labelOf(nameIn(path))}
        </Button>
      )}
    </div>
  )
}

type HeadProps = {
  field: Of<'list'>
  items: readonly unknown[]
  at: number
  what: string
  put: (items: readonly unknown[]) => void
}

function ItemHead({ field, items, at, what, put }: HeadProps) {
  const named = `${what} ${at + 1}${titleOf(field.item, items[at])}`
  const moveTo = (place: number) => {
    const others = items.toSpliced(at, 1)
    put(others.toSpliced(place, 0, items[at]))
  }
  return (
    <div className="words__item">
      <span className="label">{at + 1}</span>
      <div className="words__moves">
        <IconButton
          icon="arrow"
          className="words__up"
          label={`Up: ${named}`}
          disabled={at === 0}
          onClick={() => moveTo(at - 1)}
        />
        <IconButton
          icon="arrow"
          className="words__down"
          label={`Down: ${named}`}
          disabled={at === items.length - 1}
          onClick={() => moveTo(at + 1)}
        />
        <Button
          isSmall
          look="line"
          aria-label={`Remove: ${named}`}
          disabled={items.length <= field.least}
          onClick={() => put(items.toSpliced(at, 1))}
        >
          Remove
        </Button>
      </div>
    </div>
  )
}

function titleOf(field: Field, item: unknown): string {
  const [, first = ''] = textsIn(field, item)[0] ?? []
  return first === '' ? '' : `, ${first.slice(0, 40)}`
}

export function VariantField({ field, path, value, form, Entry }: FieldProps<Of<'variants'>> & Within) {
  const id = useId()
  const at = variantOf(field.variants, value)
  const shape = field.variants[at]
  if (shape === undefined) return null
  return (
    <div id={idOf(path)} className="words__group">
      <SelectField
        id={id}
        label="Type"
        value={String(at)}
        onChange={({ target }) => {
          const wanted = field.variants[Number(target.value)]
          if (wanted !== undefined) form.change(path, blankOf(wanted, newId))
        }}
      >
        {field.variants.map((variant, index) => (
          <option key={nameOfShape(variant)} value={index}>
            {nameOfShape(variant)}
          </option>
        ))}
      </SelectField>
      <Entry field={shape} path={path} value={value} form={form} />
    </div>
  )
}

const nameOfShape = (field: Field) =>
  variantLabel(field.kind === 'group' ? field.entries.map(({ name }) => name) : null)
