import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, useRef, useState } from 'react'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, type ButtonLook } from '#pwa/ui/button.tsx'
import { classNames } from '#pwa/ui/class-names.ts'
import { DropHint } from '#pwa/ui/drop-hint.tsx'
import { SelectField } from '#pwa/ui/field.tsx'
import { useFileDrop } from '#pwa/ui/use-file-drop.ts'
import { Import, type ImportKindName, noImportOptions } from '#shared/contract/imports.ts'
import { sendImport } from './queries.ts'

type FileKind = { label: string; accept: string; hint: string }

/** What comes from a file, and from which. */
const fileKinds: Partial<Record<ImportKindName, FileKind>> = {
  members: {
    label: 'Members',
    accept: '.csv,.txt',
    hint: 'A CSV from Kajabi, Memberful, Ghost, WordPress or a spreadsheet, up to 500 MB.',
  },
  posts: {
    label: 'Posts',
    accept: '.json,.xml,.zip,.md,.mdx,.markdown',
    hint: 'An export from Ghost or WordPress, or a ZIP of it with its pictures. A ZIP of Markdown files works too.',
  },
  lessons: {
    label: 'Videos',
    accept: '.csv,.txt',
    hint: 'A CSV with title, category, address, text and order, such as a course from Kajabi.',
  },
}

/** Sends a file and has it read. `stop` leaves what has arrived, so that the same file carries on there. */
function useSending(
  chosen: ImportKindName,
  choose: (kind: ImportKindName) => void,
  onPlanned: (planned: Import) => void,
) {
  const [sent, setSent] = useState(0)
  const sending = useRef(new AbortController())
  const upload = useMutation({
    mutationFn: async (file: File) => {
      setSent(0)
      const kind = kindOfFile(file, chosen)
      choose(kind)
      if (file.size === 0) throw emptyError(file)
      sending.current = new AbortController()
      const { signal } = sending.current
      const id = await sendImport(file, setSent, signal)
      signal.throwIfAborted()
      return parseResponse(Import, api.api.admin.imports.post({ kind, upload: id, options: noImportOptions }))
    },
    onSuccess: onPlanned,
  })
  const stop = () => {
    sending.current.abort()
    upload.reset()
  }
  return { upload, sent, stop }
}

type SendingProps = { file: File; sent: number; stop: () => void }

const Sending = ({ file, sent, stop }: SendingProps) => (
  <div className="movein__bar">
    <progress value={sent} max={file.size} aria-label={`${file.name}, sent`} />
    <Button look="line" onClick={stop}>
      Cancel
    </Button>
  </div>
)

type Props = { look: ButtonLook; onPlanned: (planned: Import) => void }

/** Choosing the same file again opens its plan, and carries on an upload that was cut off. */
export function FileBox({ look, onPlanned }: Props) {
  const [chosen, setChosen] = useState<ImportKindName>('members')
  const { upload, sent, stop } = useSending(chosen, setChosen, onPlanned)
  const input = useRef<HTMLInputElement>(null)
  const { isOver, zone } = useFileDrop(([file]) => file && upload.mutate(file))
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    if (file) upload.mutate(file)
    // So that choosing the same file again fires `change`.
    target.value = ''
  }
  const accepted = Object.values(fileKinds).map(({ accept }) => accept)
  return (
    <section className={classNames('movein__file', isOver && 'movein__file--over')} aria-label="A file" {...zone}>
      <div className="movein__bar">
        <SelectField label="What’s in it" value={chosen} onChange={({ target }) => setChosen(kindOf(target.value))}>
          {Object.entries(fileKinds).map(([name, { label }]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </SelectField>
        <Button
          look={look}
          icon="share"
          isBusy={upload.isPending}
          busyLabel="Sending…"
          onClick={() => input.current?.click()}
        >
          Choose a file
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          accept={accepted.join(',')}
          aria-label="File to move in"
          onChange={choose}
        />
      </div>
      <p className="second">
        {fileKinds[chosen]?.hint} <DropHint>Or drop it here.</DropHint>
      </p>
      {upload.isPending && <Sending file={upload.variables} sent={sent} stop={stop} />}
      {upload.error && (
        <Banner
          tone="bad"
          role="alert"
          title={messageOf(upload.error, 'We couldn’t send the file. Choose it again.')}
        />
      )}
    </section>
  )
}

/** In the words of the terminal. */
const emptyError = ({ name }: File) =>
  new RequestError({ status: 0, code: 'invalid', message: 'empty file', text: `${name} is empty.` })

const kindOf = (value: string): ImportKindName =>
  (Object.keys(fileKinds) as ImportKindName[]).find((name) => name === value) ?? 'members'

const accepts = (kind: ImportKindName, name: string) =>
  fileKinds[kind]?.accept.split(',').some((ending) => name.toLowerCase().endsWith(ending)) === true

/** An export of posts is nothing else, whatever is chosen above it. */
const kindOfFile = ({ name }: File, chosen: ImportKindName): ImportKindName =>
  !accepts(chosen, name) && accepts('posts', name) ? 'posts' : chosen
