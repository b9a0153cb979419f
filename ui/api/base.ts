/**
 * The path that the service is reached below, without a slash at its end; empty for most. The service writes it into the document
 * (src/http/ui/index-document.ts).
 */
export const basePath: string = (document.documentElement.dataset.base ?? '').replace(/^\.|\/$/g, '').replace(/\/$/, '')
