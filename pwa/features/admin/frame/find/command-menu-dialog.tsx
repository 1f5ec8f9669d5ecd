import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Target } from '#pwa/features/admin/frame/phrase-texts.ts'
import type { AdminPlace, OfficeDialog } from '#pwa/features/admin/kit/shortcuts/use-shortcuts.ts'
import { typedAhead } from '#pwa/features/admin/kit/typed-ahead-store.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { type Command, useCommands } from './use-commands.ts'
import type { GoTo } from './use-go-to.ts'
import './menu.css'

type Props = {
  places: readonly AdminPlace[]
  open: (dialog: OfficeDialog) => void
  logout: () => void
  goTo: GoTo
  onClose: () => void
}

/** A combobox with a listbox, per the ARIA patterns. Ready-made ones inject styles, which our CSP refuses. */
export default function CommandMenu({ onClose, ...office }: Props) {
  const [asking, ask] = useState<Target | null>(null)
  const question = asking?.ask ?? null
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const onAsk = (next: Target) => {
    ask(next)
    setTyped('')
    setActive(0)
    field.current?.focus()
  }
  const { commands, ...found } = useCommands({ typed, asking, onAsk, ...office })
  const at = Math.min(active, commands.length - 1)
  useEffect(() => setTyped(takeUp(field.current)), [])
  useInView(at)
  const run = (command: Command | undefined) => {
    if (command === undefined) return
    if (command.asks === undefined) onClose()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = nextAt(event.key, at, commands.length)
    if (event.nativeEvent.isComposing || (to === undefined && event.key !== 'Enter')) return
    event.preventDefault()
    if (to === undefined) run(commands[at])
    else setActive(to)
  }
  return (
    <Dialog isOpen isWide onClose={onClose} title={question ?? 'Find'}>
      <TextField
        ref={field}
        label={question ? 'Their name, email or phone' : 'A member, a place, or what you want to do'}
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={at < 0 ? undefined : optionId(at)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="go"
        maxLength={100}
        value={typed}
        onChange={({ target: { value } }) => {
          setTyped(value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <p className="second" role="status">
        {statusOf({ ...found, typed, question, count: commands.length })}
      </p>
      <Options commands={commands} at={at} onRun={run} onPoint={setActive} />
    </Dialog>
  )
}

/** In the field as well, so that a key that comes before the next render is added to it. */
function takeUp(field: HTMLInputElement | null): string {
  const typed = typedAhead.text ?? ''
  typedAhead.text = null
  if (field) field.value = typed
  field?.focus()
  return typed
}

function useInView(at: number) {
  useEffect(() => {
    document.getElementById(optionId(at))?.scrollIntoView({ block: 'nearest' })
  }, [at])
}

const listId = 'command-menu'
const optionId = (at: number) => `${listId}-${at}`

/** Wraps round. Undefined for keys that don’t move. */
function nextAt(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at - 1 + count) % count
  return undefined
}

type State = {
  typed: string
  question: string | null
  count: number
  error: Error | null
  isSearching: boolean
  hasMore: boolean
  isGuess: boolean
}

function statusOf({ typed, question, count, error, isSearching, hasMore, isGuess }: State): string {
  if (error) return messageOf(error, 'We couldn’t search members. Try again in a minute.')
  if (isSearching) return 'Searching…'
  if (question !== null && typed.trim().length < 2) return 'Type at least two letters of their name.'
  if (typed.trim() === '') return 'Type a word or two, or pick one.'
  if (isGuess) return 'Nothing found. Try another word, or look in one of these.'
  if (count === 0) return 'No one found. Try part of a name, an email or a phone number.'
  return `${count} found${hasMore ? ', and more members. Type more of the name.' : ''}`
}

type OptionsProps = {
  commands: readonly Command[]
  at: number
  onRun: (command: Command) => void
  onPoint: (at: number) => void
}

const Options = ({ commands, at, onRun, onPoint }: OptionsProps) => (
  <div className="cmd" id={listId} role="listbox" aria-label="Found">
    {[...new Set(commands.map(({ group }) => group))].map((group) => {
      const inGroup = commands.filter((command) => command.group === group)
      return (
        inGroup.length > 0 && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls, and these are options
          <div key={group} role="group" aria-label={group}>
            <p className="label" aria-hidden="true">
              {group}
            </p>
            {inGroup.map((command) => {
              const index = commands.indexOf(command)
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the focus and the keys
                <div
                  key={command.id}
                  id={optionId(index)}
                  role="option"
                  aria-selected={index === at}
                  onClick={() => onRun(command)}
                  onMouseMove={() => onPoint(index)}
                >
                  <span>{command.label}</span>
                  {command.second && <small>{command.second}</small>}
                  {command.keys && <small className="office__keys">{command.keys}</small>}
                </div>
              )
            })}
          </div>
        )
      )
    })}
  </div>
)
