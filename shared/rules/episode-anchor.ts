/** Where /podcast shows an episode, by the address of its sound, which is what its feed and the page both know. */
export const episodeAnchor = (sound: string): string => `episode-${/([^/.]+)\.\w+$/.exec(sound)?.[1] ?? ''}`
