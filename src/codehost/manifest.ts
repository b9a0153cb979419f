/** An app's credentials as the code host hands them out, once. */
export type NewApp = {
  id: number
  /** What it is called, and its page at the code host. */
  name: string
  url: string
  clientId: string
  clientSecret: string
  /** Null where the code host made none. */
  webhookSecret: string | null
  /** PEM. */
  privateKey: string
}

/** Makes the credentials out of the code with which a person comes back; undefined where the code is good for nothing. */
export type ConvertManifest = (code: string, cause?: string) => Promise<NewApp | undefined>
