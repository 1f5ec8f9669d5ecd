/** The content type and header of an upload's chunk, as in the tus protocol. The header says where the chunk begins. */
export const chunkType = 'application/offset+octet-stream'
export const offsetHeader = 'upload-offset'
export const maxChunkBytes = 4 * 1024 ** 2
