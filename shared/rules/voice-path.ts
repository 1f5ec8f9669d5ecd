/** Whether people record voice notes at this path. Only a document loaded there may use the microphone. */
export const isVoicePath = (path: string): boolean => /^\/(members|admin)(\/|$)/.test(path)
