import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { RowFormParts } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { fieldBeside, useWrittenField, writeField } from '#pwa/features/admin/kit/forms/use-written-field.ts'
import { allVideosQuery } from '#pwa/features/admin/kit/video-queries.ts'
import { type Drag, Grip, HeldPosition } from '#pwa/features/admin/videos/grip.tsx'
import { useMoves } from '#pwa/features/admin/videos/use-moves.ts'
import { orderOf, readOrder } from '#pwa/features/admin/videos/video-texts.ts'
import { readFormValues } from '#pwa/features/forms/form-draft-store.ts'
import { classNames } from '#pwa/ui/class-names.ts'
import { TextField } from '#pwa/ui/field.tsx'
import type { AdminVideo } from '#shared/contract/admin-video.ts'
import { videosByCategory } from '#shared/rules/video.ts'

type Props = Pick<RowFormParts, 'values' | 'errors'> & {
  /** Null for a new video. */
  id: string | null
}

type Typed = { title: string; category: string; orderIndex: string }

const typedIn = ({ title = '', category = '', orderIndex = '' }: Record<string, string>): Typed => ({
  title,
  category: category.trim(),
  orderIndex,
})

/** Its number in the category, or its place among the others, who make room once it's saved. */
export function OrderFields({ values, errors, id }: Props) {
  const { field, value, write } = useWrittenField('place', values.place)
  const typed = useTyped(field.ref, typedIn(values), () => write(''))
  const rows = useRows({ id, typed, place: value })
  const takePosition = (order: readonly string[]) => {
    const position = order.indexOf(id ?? newId)
    writeField(fieldBeside(field.ref.current, 'orderIndex'), orderOf({ orderIndex: position }))
    write(String(position))
  }
  return (
    <div className="lessonpart">
      <input type="hidden" {...field} />
      <TextField
        label="Order"
        name="orderIndex"
        type="number"
        inputMode="numeric"
        step={1}
        defaultValue={values.orderIndex}
        error={errors.orderIndex}
        hint={id === null ? 'Leave it empty and it comes last.' : undefined}
      />
      {typed.category !== '' && <OrderedVideos rows={rows} ownId={id ?? newId} typed={typed} onOrder={takePosition} />}
    </div>
  )
}

const newId = 'new'

type Row = { id: string; title: string }

const inOrder = (videos: readonly AdminVideo[]): Row[] =>
  videosByCategory(videos)
    .flatMap((category) => category.videos)
    .map(rowOf)

const rowOf = ({ id, title }: Row): Row => ({ id, title })

function useRows({ id, typed, place: position }: { id: string | null; typed: Typed; place: string }): Row[] {
  const { data: videos = [] } = useQuery(allVideosQuery)
  const others = videos.filter((video) => video.category === typed.category && video.id !== id)
  const own = { id: id ?? newId, title: typed.title || 'This video' }
  const isLast = position === '' && id === null && typed.orderIndex === ''
  if (isLast) return [...inOrder(others), own]
  if (position !== '') return inOrder(others).toSpliced(Number(position), 0, own)
  const placed = { ...own, category: typed.category, orderIndex: readOrder(typed.orderIndex), duration: null }
  return videosByCategory([...others, placed]).flatMap((category) => category.videos)
}

/** What's typed in the form. A number or a category that's typed takes the chosen place away. */
function useTyped(field: React.RefObject<HTMLInputElement | null>, initial: Typed, onPositionGone: () => void): Typed {
  const [typed, setTyped] = useState(initial)
  const takeAway = useRef(onPositionGone)
  takeAway.current = onPositionGone
  useEffect(() => {
    const form = field.current?.form
    if (!form) return
    const onInput = ({ target }: Event) => {
      setTyped(typedIn(readFormValues(form)))
      if (target instanceof HTMLInputElement && ['orderIndex', 'category'].includes(target.name)) takeAway.current()
    }
    form.addEventListener('input', onInput)
    return () => form.removeEventListener('input', onInput)
  }, [field])
  return typed
}

type OrderedProps = {
  rows: readonly Row[]
  ownId: string
  typed: Typed
  onOrder: (order: readonly string[]) => void
}

function OrderedVideos({ rows, ownId, typed, onOrder }: OrderedProps) {
  const moves = useMoves(
    rows.map((row) => row.id),
    onOrder,
  )
  const list = useRef<HTMLOListElement>(null)
  const [drag, setDrag] = useState<Drag>(null)
  const shown = moves.ids.flatMap((id) => rows.find((row) => row.id === id) ?? [])
  const position = `Place ${moves.ids.indexOf(ownId) + 1} of ${rows.length} in ${typed.category}`
  return (
    <section className="lessonplaces" aria-label={`Place in ${typed.category}`}>
      <p className="second">
        {rows.length === 1 ? `The only video in ${typed.category}.` : `${position}. Drag it, or use its handle.`}
      </p>
      <HeldPosition moves={moves} />
      <ol className="plain" ref={list}>
        {shown.map(({ id, title }, at) => (
          <li
            key={id}
            className={classNames(
              'lessonplaces__row',
              id === ownId && 'lessonplaces__row--own',
              moves.heldId === id && 'vid--held',
              drag?.position === at && 'vid--before',
              drag?.position === at + 1 && at === shown.length - 1 && 'vid--after',
            )}
          >
            {id === ownId && rows.length > 1 && (
              <Grip id={id} title={title} moves={moves} list={list} drag={drag} onDrag={setDrag} />
            )}
            <span>{title}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
