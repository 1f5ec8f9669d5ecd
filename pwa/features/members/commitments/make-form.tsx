import { type FormEvent, useState } from 'react'
import * as v from 'valibot'
import { makeCommitment } from '#pwa/sync/commitments/outbox.ts'
import { useEngine } from '#pwa/sync/hooks.ts'
import { Button } from '#pwa/ui/button.tsx'
import { DateField } from '#pwa/ui/date-field.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { type Commitment, commitmentTextLimit } from '#shared/contract/commitments.ts'
import { Day, RequiredLine } from '#shared/contract/fields.ts'
import { dayText } from '#shared/rules/commitment-words.ts'
import { dayNamed } from '#shared/rules/commitments.ts'
import { idRandomBytes, uuidV7 } from '#shared/rules/id.ts'
import { londonDay } from '#shared/rules/london.ts'
import { noLaterDay, notKept } from './commitment-texts.ts'
import { type MakeDraft, readMakeDraft, removeMakeDraft, saveMakeDraft } from './make-draft-storage.ts'

type Props = {
  /** The video it comes from. */
  video?: NonNullable<Commitment['video']>
  onMade?: () => void
}

const newDraft = (today: string): MakeDraft => ({
  id: uuidV7(Date.now(), crypto.getRandomValues(new Uint8Array(idRandomBytes))),
  text: '',
  day: dayNamed('', today),
  hasDay: false,
})

const Text = RequiredLine('This', commitmentTextLimit)

/** Works without signal. What's typed stays on this phone until it's made. */
export function MakeForm({ video, onMade }: Props) {
  const engine = useEngine()
  const toast = useToast()
  const about = video?.id ?? 'own'
  const today = londonDay(new Date())
  const [draft, setDraft] = useState(() => readMakeDraft(about) ?? newDraft(today))
  const [problem, setProblem] = useState<Problem>({})
  const change = (changed: Partial<MakeDraft>) => {
    const next = { ...draft, ...changed }
    setDraft(next)
    setProblem({})
    saveMakeDraft(about, next)
  }
  const make = async () => {
    const { text, day, ...found } = problemsOf(draft, today)
    setProblem(found)
    if (text === null || day === null) return
    await makeCommitment(engine, draft.id, { text, day, video: video ?? null, call: null })
    removeMakeDraft(about)
    setDraft(newDraft(today))
    toast({ title: 'On your list', description: `“${text}”, by ${dayText(day, today)}`, tone: 'ok' })
    onMade?.()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make().catch((error: unknown) => {
      reportError(error)
      setProblem({ textError: notKept })
    })
  }
  return (
    <form className="commit__form" onSubmit={submit} noValidate>
      <TextField
        label="I’ll…"
        hint="For example: put my day rate up by Friday"
        value={draft.text}
        maxLength={commitmentTextLimit}
        autoComplete="off"
        error={problem.textError}
        onChange={({ target: { value } }) =>
          change({ text: value, ...(!draft.hasDay && { day: dayNamed(value, today) }) })
        }
      />
      <DateField
        label="By when?"
        value={draft.day}
        min={today}
        error={problem.dayError}
        onChange={(day) => change({ day, hasDay: true })}
      />
      <div>
        <Button type="submit" icon="arrow">
          Put it on my list
        </Button>
      </div>
    </form>
  )
}

type Problem = { textError?: string; dayError?: string }

function problemsOf(draft: MakeDraft, today: string): Problem & { text: string | null; day: string | null } {
  const text = v.safeParse(Text, draft.text)
  const isDay = v.is(Day, draft.day) && draft.day >= today
  return {
    text: text.success ? text.output : null,
    day: isDay ? draft.day : null,
    ...(!text.success && { textError: draft.text.trim() === '' ? 'Write what you’ll do.' : text.issues[0].message }),
    ...(!isDay && { dayError: noLaterDay }),
  }
}
