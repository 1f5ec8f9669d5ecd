import { useEffect, useEffectEvent, useRef } from 'react'
import { isMenuKey } from '#pwa/features/admin/kit/typed-ahead-store.ts'
import { areShortcutsOn } from './shortcuts-storage.ts'

/** `key` follows `g`. */
export type AdminPlace = { name: string; label: string; within?: string | undefined; key?: string | undefined }

export type OfficeDialog = 'menu' | 'keys' | 'view-as'

type Shortcuts = {
  places: readonly AdminPlace[]
  onGo: (place: string) => void
  onMenu: () => void
  onHelp: () => void
}

/** How long `g` waits for its letter, in ms. */
const patienceMs = 2000

/** Shortcuts do nothing while someone’s typing or a dialog is open. */
export function useShortcuts({ places, onGo, onMenu, onHelp }: Shortcuts) {
  const goPressedAt = useRef(Number.NEGATIVE_INFINITY)
  const press = (event: KeyboardEvent): (() => void) | undefined => {
    const { key, timeStamp } = event
    const place = places.find((one) => one.key === key)
    const isGoing = timeStamp - goPressedAt.current < patienceMs
    goPressedAt.current = key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY
    if (isGoing && place) return () => onGo(place.name)
    if (key === '?') return onHelp
    if (key === '/') return searchHere() ?? onMenu
    if (key === 'j') return () => moveRow(1)
    if (key === 'k') return () => moveRow(-1)
    if (key === 'u') return undo
    if (key === 'Enter' && listRows().some((row) => row === event.target)) return () => openRow(event.target)
    return undefined
  }
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return
    const isOn = isPlainKey(event) && areShortcutsOn()
    const work = isMenuKey(event) ? onMenu : (arrowMove(event) ?? (isOn ? press(event) : undefined))
    if (work === undefined) return
    event.preventDefault()
    work()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

const isPlainKey = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  !ctrlKey &&
  !metaKey &&
  !altKey &&
  !(target instanceof Element && target.closest('input, textarea, select, [contenteditable="true"]'))

const searchField = '.panel input[type=search]'
/** Undefined where there’s no search. */
function searchHere(): (() => void) | undefined {
  const field = document.querySelector<HTMLInputElement>(searchField)
  return field ? () => field.focus() : undefined
}

/** From the search to the rows, and row to row. Arrows don’t disturb dictation, so they’re always on. */
function arrowMove({ key, target }: KeyboardEvent): (() => void) | undefined {
  const isInRow = target instanceof HTMLTableRowElement
  if (key === 'ArrowDown' && (isInRow || (target instanceof Element && target.matches(searchField))))
    return () => moveRow(1)
  return key === 'ArrowUp' && isInRow ? () => moveRow(-1) : undefined
}

/** A table’s rows, or the entries of Today. */
export const listRows = () => [...document.querySelectorAll<HTMLElement>('.panel tbody tr, .day__row')]

export function focusRow(row: HTMLElement | undefined): void {
  if (row === undefined) return
  row.tabIndex = -1
  row.focus()
}

function moveRow(by: 1 | -1): void {
  const rows = listRows()
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  focusRow(rows[at === -1 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)])
}

const openRow = (row: EventTarget | null) => {
  if (row instanceof Element) row.querySelector<HTMLElement>('.acts :is(a, button)')?.click()
}

function undo(): void {
  const act = document.querySelector<HTMLElement>('.toast__act')
  if (act?.textContent === 'Undo') act.click()
}
