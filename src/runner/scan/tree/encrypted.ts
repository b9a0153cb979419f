/** git-crypt's header (its own source, `commands.cpp`). */
const GIT_CRYPT = '\0GITCRYPT\0'

/** How sops writes a value, and its word for what it says of the file (github.com/getsops/sops, 'Encrypting'). */
const [SOPS_VALUE, SOPS_NOTES] = ['ENC[AES256_GCM,', 'sops']

/**
 * What a text is encrypted with, if it is: its keys and values are not what the tool will read, and a fault that the reader finds
 * in them would lead nobody to the cause.
 */
export const encryptedBy = (text: string): 'git-crypt' | 'sops' | undefined => {
  if (text.startsWith(GIT_CRYPT)) return 'git-crypt'
  return text.includes(SOPS_VALUE) && text.includes(SOPS_NOTES) ? 'sops' : undefined
}

/** Says so to a person, after the file's name. */
export const saysEncrypted = (by: string): string =>
  `is encrypted by ${by}, so what it says is not known here; decrypt it in a step before svc's to have it read`
