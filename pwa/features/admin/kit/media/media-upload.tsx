import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useAdminAction, useAdminRenewal } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Badge, type BadgeTone } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { classNames } from '#pwa/ui/class-names.ts'
import { DropHint } from '#pwa/ui/drop-hint.tsx'
import { SelectField } from '#pwa/ui/field.tsx'
import { useFileDrop } from '#pwa/ui/use-file-drop.ts'
import { MediaRemoved } from '#shared/contract/media.ts'

import { formatBytes } from '#shared/values/media.ts'
import { roomQuery, uploadsQuery } from './queries.ts'
import { type Upload, type UploadState, uploadStoreOf } from './upload-store.ts'

/** Only a hint for the file chooser. The server checks the content. */
export const acceptedFiles =
  '.mp4,.mov,.m4v,.webm,.mp3,.m4a,.ogg,.jpg,.jpeg,.png,.webp,.avif,.pdf,.docx,.xlsx,.pptx,.vtt,.srt,.sbv'

/** `auto`: pictures are public, since pages use them; everything else is for members. */
type Who = 'auto' | 'members' | 'everybody'
const isPublicFor = (who: Who, file: File) => (who === 'auto' ? file.type.startsWith('image/') : who === 'everybody')

export const useUploads = () => {
  const store = uploadStoreOf(useQueryClient())
  return { store, uploads: useSyncExternalStore(store.subscribe, store.list, store.list) }
}

export function MediaUploadSection() {
  const { store, uploads } = useUploads()
  const [who, setWho] = useState<Who>('auto')
  const input = useRef<HTMLInputElement>(null)
  const room = useQuery(roomQuery).data
  useRenewalWhenStored(uploads)
  const add = (files: readonly File[]) =>
    store.add(files, (file) => ({ isPublic: isPublicFor(who, file), replaces: null }))
  const { isOver, zone } = useFileDrop(add)
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    add([...(target.files ?? [])])
    // So that choosing the same file again fires `change`.
    target.value = ''
  }
  return (
    <section className={classNames('mediaup', isOver && 'mediaup--over')} aria-label="Add files" {...zone}>
      <div className="mediaup__bar">
        <SelectField label="Who sees new files" value={who} onChange={({ target }) => setWho(whoOf(target.value))}>
          <option value="auto">By file type</option>
          <option value="members">Members only</option>
          <option value="everybody">Everyone</option>
        </SelectField>
        <Button icon="share" onClick={() => input.current?.click()}>
          Add files
        </Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          accept={acceptedFiles}
          aria-label="Files to add"
          onChange={choose}
        />
      </div>
      <p className="second">
        Video up to 2 GB, audio, pictures, PDF and Office documents, captions. <DropHint>Or drop them here. </DropHint>
        Pictures are public, the rest is for members.
        {room && ` ${formatBytes(room.bytes)} of ${formatBytes(room.quota)} used.`}
      </p>
      <UploadList uploads={uploads} />
      <UnfinishedUploads uploads={uploads} />
    </section>
  )
}

const whoOf = (value: string): Who => (value === 'members' || value === 'everybody' ? value : 'auto')

function useRenewalWhenStored(uploads: readonly Upload[]) {
  const renew = useAdminRenewal()
  const ended = uploads.filter(({ state }) => state === 'done' || state === 'refused').length
  const known = useRef(ended)
  useEffect(() => {
    if (ended > known.current) void renew()
    known.current = ended
  })
}

const stateLabels: Record<UploadState, string> = {
  waiting: 'Waiting',
  asking: 'Not sent yet',
  sending: 'Sending',
  checking: 'Preparing',
  paused: 'Paused',
  refused: 'Not stored',
  done: 'Stored',
}
const stateTones: Record<UploadState, BadgeTone> = {
  waiting: 'wait',
  asking: 'wait',
  sending: 'open',
  checking: 'open',
  paused: 'plain',
  refused: 'bad',
  done: 'ok',
}

export const UploadList = ({ uploads }: { uploads: readonly Upload[] }) =>
  uploads.length > 0 && (
    <ul className="plain mediaup__list" aria-label="Uploads">
      {uploads.map((upload) => (
        <UploadRow key={upload.key} upload={upload} />
      ))}
    </ul>
  )

function UploadRow({ upload: { key, name, bytes, sent, state, problem, stored } }: { upload: Upload }) {
  const { store } = useUploads()
  const giveUp = useGiveUp()
  const percent = Math.floor((sent / bytes) * 100)
  const isOpen = state === 'waiting' || state === 'sending'
  const leave = state === 'done' || state === 'refused' ? 'Clear' : 'Cancel'
  const remove = () => {
    const id = store.remove(key)
    if (id !== null && state !== 'done' && state !== 'refused') giveUp.mutate(id)
  }
  return (
    <li className="mediaup__row">
      <div className="mediaup__what">
        <b>{name}</b> <Badge tone={stateTones[state]}>{stateLabels[state]}</Badge>
        {state !== 'done' && state !== 'refused' && state !== 'asking' && (
          <>
            <progress value={sent} max={bytes} aria-label={`${name}, sent`} />
            <span className="second num">{`${percent}% of ${formatBytes(bytes)}`}</span>
          </>
        )}
        {problem && <p role={state === 'refused' || state === 'asking' ? 'alert' : 'status'}>{problem}</p>}
        {/* The library stores identical bytes once, under their first name. */}
        {stored && stored.name !== name && <p role="status">{`It’s in the library as “${stored.name}”.`}</p>}
      </div>
      <div className="acts">
        {isOpen && (
          <Button isSmall look="line" aria-label={`Pause ${name}`} onClick={() => store.pause(key)}>
            Pause
          </Button>
        )}
        {state === 'paused' && (
          <Button isSmall aria-label={`Resume ${name}`} onClick={() => store.resume(key)}>
            Resume
          </Button>
        )}
        {state === 'asking' && (
          <Button isSmall look="line" aria-label={`Upload ${name} anyway`} onClick={() => store.resume(key)}>
            Upload anyway
          </Button>
        )}
        {state !== 'checking' && (
          <Button isSmall look="bare" aria-label={`${leave} ${name}`} onClick={remove}>
            {leave}
          </Button>
        )}
      </div>
    </li>
  )
}

const useGiveUp = () =>
  useAdminAction({
    schema: MediaRemoved,
    send: (id: string) => api.api.admin.media.uploads({ id }).delete(),
    failure: 'We couldn’t cancel the upload.',
    done: { title: 'Upload cancelled' },
  })

/** Uploads begun on another device, or before a reload. */
function UnfinishedUploads({ uploads }: { uploads: readonly Upload[] }) {
  const { data: unfinished = [] } = useQuery(uploadsQuery)
  const giveUp = useGiveUp()
  const isHere = ({ name, bytes }: { name: string; bytes: number }) =>
    uploads.some((upload) => upload.bytes === bytes && upload.name.endsWith(name))
  const others = unfinished.filter((upload) => !isHere(upload))
  if (others.length === 0) return null
  return (
    <section aria-label="Unfinished uploads">
      <h3>Unfinished</h3>
      <p className="second">
        Choose the same file again to carry on where it stopped. We delete unfinished uploads after a week.
      </p>
      <ul className="plain mediaup__list">
        {others.map(({ id, name, bytes, offset }) => (
          <li key={id} className="mediaup__row">
            <div className="mediaup__what">
              <b>{name}</b>{' '}
              <span className="second num">{`${Math.floor((offset / bytes) * 100)}% of ${formatBytes(bytes)} uploaded`}</span>
            </div>
            <Button isSmall look="bare" aria-label={`Cancel ${name}`} onClick={() => giveUp.mutate(id)}>
              Cancel
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
