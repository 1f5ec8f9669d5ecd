import { useEffect, useState } from 'react'
import { useShelf } from '#pwa/features/members/stored/use-shelf.ts'
import { wantInstall } from '#pwa/lib/install.ts'
import { requestPersistentStorage } from '#pwa/sync/browser-platform.ts'
import { reportUnlessClosed } from '#pwa/sync/database.ts'
import { useEngine } from '#pwa/sync/hooks.ts'
import type { ShelfView } from '#pwa/sync/progress/status.ts'
import { readNetwork } from '#pwa/sync/shelf/network.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { CheckField } from '#pwa/ui/field.tsx'
import { KeepButton } from '#pwa/ui/keep-button.tsx'
import { RadioCard, RadioCards } from '#pwa/ui/radio-card.tsx'
import { type ShelfForm, shelfForms } from '#shared/contract/shelf.ts'
import type { MemberVideo } from '#shared/contract/video.ts'
import { formatBytes } from '#shared/values/media.ts'
import { PrivateWindow } from './private-window.tsx'
import { formHints, formLabels, keepText, wifiHint } from './shelf-texts.ts'
import { sizeOfAll } from './use-keep.tsx'
import { useStorage } from './use-storage.ts'

type Props = { view: ShelfView; videos: readonly MemberVideo[]; onClose: () => void }

/** Only the forms that exist for these videos. */
const formsOf = ({ keepable }: ShelfView, videos: readonly MemberVideo[]): ShelfForm[] =>
  shelfForms.filter((form) => videos.some(({ id }) => keepable.get(id)?.[form]))

/** The bytes of these videos' downloads, as far as this phone knows. */
function useDownloads(videos: readonly MemberVideo[]): number {
  const { store } = useEngine()
  const [bytes, setBytes] = useState(0)
  const ids = videos.map(({ id }) => id).join()
  useEffect(() => {
    const read = async () => {
      const texts = await store.texts.bulkGet(ids.split(','))
      const handouts = texts.flatMap((text) => text?.handouts ?? [])
      setBytes(handouts.reduce((sum, handout) => sum + handout.bytes, 0))
    }
    read().catch(reportUnlessClosed)
  }, [store, ids])
  return bytes
}

/** How large it is, in which form, and over which network. */
export default function KeepDialog({ view, videos, onClose }: Props) {
  const run = useShelf()
  const { shelf } = view
  const forms = formsOf(view, videos)
  const [form, setForm] = useState<ShelfForm>(shelf.form)
  const [isWifiOnly, setWifiOnly] = useState(shelf.isWifiOnly)
  const [isBusy, setBusy] = useState(false)
  const downloads = useDownloads(videos)
  const { room } = useStorage()
  const bytesOf = (chosen: ShelfForm) => sizeOfAll({ ...view, shelf: { ...shelf, form: chosen } }, videos)
  const keep = async () => {
    setBusy(true)
    // The browser asks for the press that leads here.
    requestPersistentStorage().catch(reportError)
    await run(async (own) => {
      await own.choose({ form, isWifiOnly, hasChosen: true })
      if (readNetwork() === 'unknown') own.fetchNow()
      await own.keep(
        videos.map(({ id }) => id),
        form,
      )
    })
    wantInstall('offer')
    // Only once it's stored: the member may leave the page right after.
    onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Keep on this phone"
      footer={
        <>
          <Button icon="down" isBusy={isBusy} onClick={() => void keep().catch(reportError)}>
            {keepText(videos.length, bytesOf(form))}
          </Button>
          <KeepButton isBusy={isBusy} onClick={onClose}>
            Cancel
          </KeepButton>
        </>
      }
    >
      <p>
        {videos.length === 1
          ? 'It’ll play where there’s no signal. Keep the app open until it’s here.'
          : 'They’ll play where there’s no signal. Keep the app open until they’re here.'}
      </p>
      {forms.length > 1 && <Forms forms={forms} form={form} bytesOf={bytesOf} onChoose={setForm} />}
      {forms.join() === 'sound' && <p>You’ll get the audio only. The video’s on another site.</p>}
      <PrivateWindow room={room} />
      {downloads > 0 && <p>Plus {formatBytes(downloads)} of downloads.</p>}
      <CheckField
        label="Only on Wi-Fi"
        hint={wifiHint()}
        checked={isWifiOnly}
        onChange={({ target }) => setWifiOnly(target.checked)}
      />
    </Dialog>
  )
}

type FormsProps = {
  forms: readonly ShelfForm[]
  form: ShelfForm
  bytesOf: (form: ShelfForm) => number
  onChoose: (form: ShelfForm) => void
}

const Forms = ({ forms, form, bytesOf, onChoose }: FormsProps) => (
  <RadioCards label="What to keep">
    {forms.map((one) => (
      <RadioCard
        key={one}
        name="form"
        title={formLabels[one]}
        second={formHints[one]}
        figure={formatBytes(bytesOf(one))}
        checked={form === one}
        onChange={() => onChoose(one)}
      />
    ))}
  </RadioCards>
)
