import { useEffect, useState } from 'react'
import { TextField } from '#pwa/ui/field.tsx'
import type { ListAddress } from './use-list.ts'

type SearchProps = {
  label: string
  q: string | undefined
  /** Narrows what’s shown, beside the page’s own search. */
  isFilter?: true
  onChange: (address: ListAddress) => void
}

/** Debounced; Enter searches straight away. */
export function SearchForm({ label, q, isFilter, onChange }: SearchProps) {
  const [typed, setTyped] = useState(q ?? '')
  const [timer, setTimer] = useState<ReturnType<typeof setTimeout>>()
  useEffect(() => {
    if (q === undefined) setTyped('')
  }, [q])
  const send = (words: string) => {
    clearTimeout(timer)
    onChange({ q: words.trim() })
  }
  return (
    <form
      role={isFilter ? undefined : 'search'}
      className="field--search"
      onSubmit={(event) => {
        event.preventDefault()
        send(typed)
      }}
    >
      <TextField
        label={label}
        type="search"
        value={typed}
        maxLength={100}
        autoComplete="off"
        enterKeyHint="search"
        onChange={({ target: { value } }) => {
          setTyped(value)
          clearTimeout(timer)
          setTimer(setTimeout(() => send(value), pauseMs))
        }}
      />
    </form>
  )
}

const pauseMs = 300
