import type { SkipReason, VersionForm, VideoVersion, VideoVersions } from '#shared/contract/video-versions.ts'
import { plural } from '#shared/rules/plural.ts'
import { formatBytes, kindOfMedia } from '#shared/values/media.ts'

export const versionTitles: Record<VersionForm, string> = { light: 'Light video', sound: 'Audio only' }

/** What it’s called within a sentence or a button. */
export const versionNames: Record<VersionForm, string> = { light: 'light video', sound: 'audio' }

export const acceptedFiles: Record<VersionForm, string> = { light: '.mp4,.webm', sound: '.mp3,.m4a,.ogg' }

export const wrongFile: Record<VersionForm, string> = {
  light: 'A light video is an MP4 or WebM.',
  sound: 'Audio is an MP3, M4A or OGG.',
}

/** What phones keep if they don’t choose a version, and how many keep the video. */
export function keptText({ film: videoFile, phones }: VideoVersions): string {
  const whole = videoFile
    ? `The whole video is ${formatBytes(videoFile.bytes)}.`
    : 'This video is on another site, so phones can only keep what you add here.'
  return `${whole} ${phones === 0 ? 'No phones keep it yet.' : `${plural(phones, 'phone keeps', 'phones keep')} it.`}`
}

const skipTexts: Record<SkipReason, string> = {
  removed: 'You removed it.',
  unreadable: 'We couldn’t read the video. Try again, or upload your own.',
  'no-sound': 'This video has no sound.',
  'no-smaller': 'It wouldn’t be any smaller than the video.',
  'too-slow': 'It took too long to make. Try again, or upload your own.',
  refused: 'What we made wasn’t right, so we didn’t keep it. Try again, or upload your own.',
}

/** Where it stands, beside its file. */
export function standingText({ state, reason, percent, file }: VideoVersion, videoFile: VideoVersions['film']): string {
  const isOld = file !== null && state !== 'made' && state !== 'given'
  switch (state) {
    case 'given':
      return 'Your own file.'
    case 'made':
      return 'We made it from the video.'
    case 'making':
      return `${isOld ? 'Making a new one' : 'Making it'}: ${percent ?? 0}% done.`
    case 'waiting':
      return isOld ? 'We’ll make a new one from the new video.' : 'We’ll make it soon.'
    case 'unable':
      return 'Upload your own. We can’t make it: ffmpeg isn’t installed on this site’s server.'
    case 'skipped':
      return reason ? skipTexts[reason] : ''
    case 'not-needed':
      return videoFile
        ? `Not needed: ${kindOfMedia(videoFile.format) === 'sound' ? 'it’s audio already' : 'the video is small already'}.`
        : 'None yet.'
  }
}
