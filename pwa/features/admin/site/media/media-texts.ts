import * as v from 'valibot'
import { pageLabels } from '#pwa/features/admin/kit/content-texts.ts'
import { ContentPage } from '#shared/contract/admin-content.ts'
import type { MediaFile, MediaUse } from '#shared/contract/media.ts'
import { kindOfMedia, type MediaKind } from '#shared/values/media.ts'

export const kindLabels: Record<MediaKind, string> = {
  film: 'Video',
  sound: 'Audio',
  captions: 'Captions',
  picture: 'Picture',
  document: 'Document',
}

export const kindFilters = [
  ['', 'Everything'],
  ['film', 'Videos'],
  ['sound', 'Audio'],
  ['captions', 'Captions'],
  ['picture', 'Pictures'],
  ['document', 'Documents'],
  ['unused', 'Not used'],
] as const

export const whoSees = ({ isPublic }: Pick<MediaFile, 'isPublic'>): string => (isPublic ? 'Everyone' : 'Members')

export const kindLabel = ({ format }: Pick<MediaFile, 'format'>): string =>
  `${kindLabels[kindOfMedia(format)]}, ${format.toUpperCase()}`

const useTexts: Record<MediaUse['what'], (title: string) => string> = {
  film: (title) => `Video: ${title}`,
  light: (title) => `Light video of: ${title}`,
  sound: (title) => `Audio of: ${title}`,
  handout: (title) => `Download for: ${title}`,
  captions: (title) => `Captions for: ${title}`,
  page: (page) => (v.is(ContentPage, page) ? pageLabels[page] : page),
  post: (title) => `Post: ${title}`,
  episode: (title) => `Podcast: ${title}`,
}

export const useText = ({ what, title }: MediaUse): string => useTexts[what](title)

export const usesOf = ({ usedIn }: Pick<MediaFile, 'usedIn'>): string[] => [...new Set(usedIn.map(useText))]
