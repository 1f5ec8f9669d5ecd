import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { londonDay } from '#shared/rules/london.ts'
import {
  type MissingYear,
  readTypedDay,
  readTypedDayAndTime,
  readTypedTime,
  typedDayText,
} from '#shared/rules/typed-day.ts'
import { TextField } from './field.tsx'
import './styles/date-field.css'

type Props = {
  label: ReactNode
  name?: string
  error?: string | undefined
  hint?: ReactNode
  className?: string
  required?: boolean | undefined
  /** YYYY-MM-DD, or what’s typed while it isn’t a day. Given a `value`, the field follows it. */
  value?: string
  defaultValue?: string | undefined
  /** With every keystroke, in the same form as `value`. */
  onChange?: (value: string) => void
  /** With a day, or nothing: on leaving the field, on Enter, and from the picker. */
  onSettle?: (day: string) => void
  /** What the picker offers. */
  min?: string | undefined
  max?: string | undefined
  /** `24 Nov` is the next one; where days lie behind us, the last. */
  missingYear?: MissingYear
}

/** A day as text in British order, sent as YYYY-MM-DD. The browser’s own picker is behind a button. */
export const DateField = (props: Props) => <TypedField {...props} kind="day" />

/** A day with its time, sent as `2026-11-24T09:30`. */
export const DateTimeField = (props: Omit<Props, 'missingYear'>) => <TypedField {...props} kind="moment" />

/** A time on 24 hours, whatever the device's own way, sent as `09:30`. */
export const TimeField = (props: Omit<Props, 'missingYear' | 'min' | 'max'>) => <TypedField {...props} kind="time" />

const kinds = {
  day: { type: 'date', button: 'Choose a date for', example: '24/11/2026', shown: 'DD/MM/YYYY' },
  moment: {
    type: 'datetime-local',
    button: 'Choose a date and time for',
    example: '24/11/2026 09:30',
    shown: 'DD/MM/YYYY HH:MM',
  },
  // The browser's own picker would show it the device's way.
  time: { type: null, button: '', example: '09:30', shown: 'HH:MM' },
} as const

type Kind = keyof typeof kinds

function TypedField({ kind, ...props }: Props & { kind: Kind }) {
  const { label, name, error, min, max, className } = props
  const { type, button, example, shown } = kinds[kind]
  const picker = useRef<HTMLInputElement>(null)
  const { text, stored, sent, isUnread, send, take, settle } = useTyped(props, kind)
  const open = () => {
    const field = picker.current
    if (!field) return
    field.value = sent.current?.value ?? ''
    field.showPicker()
  }
  return (
    <div className={className}>
      <div className="datefield">
        <TextField
          label={label}
          name={name}
          hint={props.hint}
          required={props.required}
          value={text}
          placeholder={shown}
          autoComplete="off"
          spellCheck={false}
          error={isUnread ? `Type it like ${example}.` : error}
          onInput={({ currentTarget }) => send(currentTarget.value)}
          onChange={({ currentTarget }) => take(currentTarget.value)}
          onBlur={() => settle(text)}
          onKeyDown={({ key }: KeyboardEvent) => key === 'Enter' && settle(text)}
        />
        {type && (
          <input
            ref={picker}
            className="datefield__picker"
            type={type}
            name={name}
            min={min}
            max={max}
            tabIndex={-1}
            aria-hidden="true"
            onInput={({ currentTarget }) => send(currentTarget.value)}
            onChange={({ currentTarget: { value } }) => {
              take(typedDayText(value))
              settle(typedDayText(value))
            }}
          />
        )}
        {/* Last of its name, so that it’s the one a form’s data ends with. */}
        <input type="hidden" ref={sent} name={name} value={stored} />
        {type && (
          <button type="button" className="iconbtn datefield__button" onClick={open}>
            <span className="vh">
              {button} {label}
            </span>
            {/* Not in the sprite, which every public page carries. */}
            <svg className="i" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
              <path d="M4 5h16v15H4zM4 10h16M8 3v4M16 3v4M8 14h2M14 14h2" />
            </svg>
          </button>
        )}
      </div>
    </div>
  )
}

/** `send` comes before the form reads its data, `take` after it. `settle` writes a day out in full, or says what’s wrong. */
function useTyped({ value, defaultValue, error, onChange, onSettle, missingYear }: Props, kind: Kind) {
  const sent = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(() => typedDayText(value ?? defaultValue ?? ''))
  const [isLeft, setLeft] = useState(false)
  const read = (typed: string) => {
    if (kind === 'time') return readTypedTime(typed)
    const today = londonDay(new Date())
    return kind === 'day' ? readTypedDay(typed, today, missingYear) : readTypedDayAndTime(typed, today)
  }
  const storedOf = (typed: string) => read(typed) ?? typed.trim()
  const [followed, setFollowed] = useState(value)
  if (value !== followed) {
    setFollowed(value)
    if (value !== undefined && value !== storedOf(text)) setText(typedDayText(value))
  }
  const send = (typed: string) => {
    if (sent.current) sent.current.value = storedOf(typed)
  }
  const take = (typed: string) => {
    setText(typed)
    setLeft(false)
    onChange?.(storedOf(typed))
  }
  const settle = (typed: string) => {
    const stored = storedOf(typed)
    const isDay = stored === '' || read(typed) !== null
    setLeft(true)
    if (isDay) setText(typedDayText(stored))
    if (isDay && stored !== value) onSettle?.(stored)
  }
  const isUnread = text.trim() !== '' && read(text) === null && (isLeft || error !== undefined)
  return { text, stored: storedOf(text), sent, isUnread, send, take, settle }
}
