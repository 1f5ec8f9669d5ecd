import { useQuery } from '@tanstack/react-query'
import type { AdminVideo } from '#shared/contract/admin-video.ts'
import { videoCategories, videosByCategory } from '#shared/rules/video.ts'
import { categoriesQuery } from './queries.ts'

/** In the owners’ order, including categories without videos. */
export function useCategories(videos: readonly AdminVideo[]): string[] {
  const { data } = useQuery(categoriesQuery)
  const known = data?.categories.map(({ name }) => name) ?? videoCategories
  return [...new Set([...known, ...videosByCategory(videos).map(({ name }) => name)])]
}
