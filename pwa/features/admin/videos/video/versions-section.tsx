import { useQuery } from '@tanstack/react-query'
import { UploadHere } from '#pwa/features/admin/kit/media/upload-here.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { versionsQuery } from '#pwa/features/admin/videos/queries.ts'
import { api } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { type VideoVersion, VideoVersions } from '#shared/contract/video-versions.ts'
import { formatBytes, kindOfMedia } from '#shared/values/media.ts'
import { acceptedFiles, keptText, standingText, versionNames, versionTitles, wrongFile } from './versions-texts.ts'

/** What phones may keep instead of the whole video. It isn’t part of the form: the site makes versions meanwhile. */
export const VersionsSection = ({ id }: { id: string | null }) => (
  <section className="fields lessonform__part">
    <h3>For phones without signal</h3>
    {id === null ? (
      <p className="second">Add the video first. Then you can see here what members can keep on their phones.</p>
    ) : (
      <Versions id={id} />
    )}
  </section>
)

function Versions({ id }: { id: string }) {
  const { data, error } = useQuery(versionsQuery(id))
  if (data === undefined)
    return error ? <p role="status">{messageOf(error, 'We couldn’t load this.')}</p> : <Skeleton size="block" />
  return (
    <div className="lessonpart">
      <p className="second">
        Members can keep this video on their phone. The light video and the audio take less room there. {keptText(data)}
      </p>
      <ul className="plain">
        {data.versions.map((version) => (
          <VersionRow key={version.form} id={id} version={version} videoFile={data.film} />
        ))}
      </ul>
    </div>
  )
}

type RowProps = { id: string; version: VideoVersion; videoFile: VideoVersions['film'] }

function VersionRow({ id, version, videoFile }: RowProps) {
  const { form, file, state, percent } = version
  const name = versionNames[form]
  const { give, make, remove } = useVersionActions(id, version)
  const problem = give.problem ?? make.problem ?? remove.problem
  return (
    <li className="lessonpart__row">
      <div>
        <b>{versionTitles[form]}</b>
        {file && <span className="second">{formatBytes(file.bytes)}</span>}
        <p className="second" role="status">
          {standingText(version, videoFile)}
        </p>
        {state === 'making' && <progress value={percent ?? 0} max={100} aria-label={`${versionTitles[form]}, made`} />}
        {problem && (
          <p className="field__err" role="alert">
            {problem}
          </p>
        )}
        <UploadHere
          label={file ? `Replace the ${name}` : `Upload your own ${name}`}
          shown={file ? 'Replace' : 'Upload your own'}
          accept={acceptedFiles[form]}
          isPublic={false}
          problemOf={({ format }) =>
            kindOfMedia(format) === (form === 'light' ? 'film' : 'sound') ? null : wrongFile[form]
          }
          onStored={(stored) => give.mutate(stored.id)}
        />
        {canTry(version) && (
          <Button
            look="line"
            isSmall
            icon="sync"
            isBusy={make.isPending}
            aria-label={`Make the ${name}`}
            onClick={() => make.mutate()}
          >
            {version.reason === 'removed' ? 'Make it again' : 'Try again'}
          </Button>
        )}
      </div>
      {file && (
        <Button isSmall look="line" aria-label={`Remove the ${name}`} onClick={() => remove.mutate()}>
          Remove
        </Button>
      )}
    </li>
  )
}

/** Trying again wouldn’t give a silent video sound, or make a small one smaller. */
const canTry = ({ state, reason }: VideoVersion): boolean =>
  state === 'skipped' && reason !== 'no-sound' && reason !== 'no-smaller'

function useVersionActions(id: string, { form }: VideoVersion) {
  const address = api.api.admin.videos({ id }).versions({ form })
  const title = versionTitles[form]
  return {
    give: useAdminAction({
      schema: VideoVersions,
      send: (file: string) => address.put({ file }),
      failure: 'We couldn’t use this file.',
      done: { title: `${title} saved` },
    }),
    make: useAdminAction({
      schema: VideoVersions,
      send: () => address.make.post(),
      failure: 'We couldn’t start it.',
      done: { title: `${title}: we’ll make it soon` },
    }),
    remove: useAdminAction({
      schema: VideoVersions,
      send: () => address.delete(),
      failure: 'We couldn’t remove it.',
      done: { title: `${title} removed` },
    }),
  }
}
