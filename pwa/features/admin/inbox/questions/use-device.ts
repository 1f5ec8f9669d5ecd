import { useMedia } from '#pwa/ui/use-media.ts'

/** What a coach holds or sits at. */
export const useDevice = () => (useMedia('(pointer: coarse)') ? 'phone' : 'computer')
