import { deviceStorage } from './storage.ts'

/**
 * A key of local storage that is set when a login was ended from elsewhere, until the next one: whose forms may still wait
 * here, and which they are, once the wipe has read it.
 */
export const leftFormsKey = 'forms-left'

/**
 * Whose writer's login was ended before it was sent: nobody here may be shown it, or put it right. The id is looked for in the
 * text, since public pages with a form would load the library of schemas for no more than this.
 */
export const isLeftForm = (id: string): boolean => deviceStorage.getItem(leftFormsKey)?.includes(`"${id}"`) ?? false
