import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { readHostedVideo } from '#api/video-hosts/oembed.ts'
import type { HostedVideo } from '#shared/contract/admin-video.ts'
import type { VideoType } from '#shared/contract/video.ts'
import { readVideoSource } from '#shared/values/video-source.ts'

const refused = (message: string) => new AppError('invalid', message, { fields: { videoId: message } })

/** What the host says about a pasted video, so that owners needn't type it. The host only receives the video's id. */
export async function findHostedVideo(
  { videoHosts }: Context,
  { videoType, videoId }: { videoType: VideoType; videoId: string },
): Promise<HostedVideo> {
  const source = readVideoSource({ videoType, videoId, embedUrl: null })
  if ('problems' in source) throw refused(source.problems.videoId ?? '')
  if (videoHosts === null || videoType === 'embed' || videoType === 'streamyard') return unanswered
  const response = await readHostedVideo(videoHosts[videoType], source.videoId)
  if (response === 'unknown') throw refused('The host has no video with this ID, or it’s private.')
  return response === null ? unanswered : { isAnswered: true, ...response }
}

const unanswered: HostedVideo = { isAnswered: false, title: null, duration: null, picture: null }
