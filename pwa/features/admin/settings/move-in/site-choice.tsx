import { TextField } from '#pwa/ui/field.tsx'
import type { Import } from '#shared/contract/imports.ts'
import type { Reading } from './use-import-action.ts'

type Props = { given: Import; reading: Reading }

/** Where the pictures are, which Ghost's file doesn't say. */
export function SiteChoice({ given: { problem }, reading: { wanted, isChanged, choose, read } }: Props) {
  return (
    <details className="numbers" open={problem !== null}>
      <summary>Your old site’s address</summary>
      <form
        className="movein__bar"
        onSubmit={(event) => {
          event.preventDefault()
          if (isChanged) read()
        }}
      >
        <TextField
          label="Address"
          inputMode="url"
          placeholder="example.com"
          value={wanted.site ?? ''}
          onChange={({ target }) => choose({ site: target.value === '' ? null : target.value })}
        />
      </form>
    </details>
  )
}
