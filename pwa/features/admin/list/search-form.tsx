import { useEffect, useState } from 'react'
import { TextField } from '#pwa/ui/field.tsx'
import type { ListAddress } from './use-list.ts'

type SearchProps = { label: string; q: string | undefined; onChange: (address: ListAddress) => void }

/** Debounced; Enter searches straight away. */
export function SearchForm({ label, q, onChange }: SearchProps) {
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
    // biome-ignore lint/a11y/useSemanticElements: React warns of <search> where the DOM does not know it, as in the tests
    <form
      role="search"
      aria-label={label}
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
