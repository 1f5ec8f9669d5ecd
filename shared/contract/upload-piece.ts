/** The type and the header of a piece of an upload, as in the tus protocol; the header says where the piece begins. */
export const chunkType = 'application/offset+octet-stream'
export const offsetHeader = 'upload-offset'
/** The most that a piece may have. */
export const maxChunkBytes = 4 * 1024 ** 2
