import { type ReactNode, useState } from 'react'
import { Button } from '#pwa/ui/button.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { linkTarget } from '#shared/rules/link-target.ts'
import './text-tools.css'

type Props = {
  /** The address the link has now. */
  begin?: string
  /** `''` removes the link. Only offered where there’s one to remove. */
  onLink: (address: string) => void
  onClose: () => void
}

/** Asks where a link leads, in words people use for addresses: `www.example.com` will do. */
export function LinkForm({ begin = '', onLink, onClose }: Props) {
  const [address, setAddress] = useState(begin)
  const [error, setError] = useState<string>()
  const canRemove = begin !== ''
  const apply = () => {
    const target = canRemove && address.trim() === '' ? '' : linkTarget(address)
    if (target === null) return setError('That isn’t an address. Try www.example.com, an email address or /contact.')
    onLink(target)
    onClose()
  }
  return (
    <InnerForm onApply={apply} onClose={onClose}>
      <TextField
        autoFocus
        label="Where the link goes"
        hint={`A website, an email address, or a page of yours such as /contact.${canRemove ? ' Leave it empty to remove the link.' : ''}`}
        inputMode="url"
        autoCapitalize="none"
        value={address}
        error={error}
        onChange={({ target }) => setAddress(target.value)}
      />
    </InnerForm>
  )
}

type InnerProps = { onApply: () => void; onClose: () => void; children: ReactNode }

/** Sits inside another form, so it catches Enter and Escape itself. Its fields have no names. */
export const InnerForm = ({ onApply, onClose, children }: InnerProps) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: Enter in its fields means Apply, not sending the form around it
  <div
    className="texttools__address"
    onKeyDown={(event) => {
      if (event.key !== 'Escape' && !(event.key === 'Enter' && event.target instanceof HTMLInputElement)) return
      event.preventDefault()
      event.stopPropagation()
      if (event.key === 'Enter') onApply()
      else onClose()
    }}
  >
    {children}
    <div className="acts">
      <Button isSmall onClick={onApply}>
        Apply
      </Button>
      <Button isSmall look="line" onClick={onClose}>
        Cancel
      </Button>
    </div>
  </div>
)
