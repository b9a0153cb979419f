/** An app's credentials as the code host hands them out, once. */
export type NewApp = {
  id: number
  /** The app's name, and its page at the code host. */
  name: string
  url: string
  clientId: string
  clientSecret: string
  /** Null if the code host made none. */
  webhookSecret: string | null
  /** PEM. */
  privateKey: string
}

/** Makes the credentials from the code with which a person comes back; undefined if the code is not valid. */
export type ConvertManifest = (code: string, cause?: string) => Promise<NewApp | undefined>
