import { useMedia } from './use-media.ts'

/** Whether animations should be off. */
export const usePrefersReducedMotion = () => useMedia('(prefers-reduced-motion: reduce)')
