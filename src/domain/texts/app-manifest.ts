/**
 * The manifest that the code host creates the app from (GitHub Docs, 'Registering a GitHub App from a manifest'): what the
 * service reads and writes, and nothing more. Private: anybody could sign in with an app that anybody may install.
 */
export const appManifest = (baseUrl: string, name: string) => ({
  name,
  url: baseUrl,
  description: 'Plans and applies infrastructure stacks from pull requests',
  hook_attributes: { url: `${baseUrl}/webhooks/codehost`, active: true },
  redirect_url: `${baseUrl}/setup/callback`,
  callback_urls: [`${baseUrl}/auth/callback`],
  setup_url: `${baseUrl}/setup/installed`,
  public: false,
  default_permissions: {
    actions: 'write',
    checks: 'write',
    contents: 'read',
    issues: 'write',
    members: 'read',
    merge_queues: 'read',
    metadata: 'read',
    pull_requests: 'write',
  },
  default_events: [
    'check_run',
    'check_suite',
    'create',
    'delete',
    'issue_comment',
    'merge_group',
    'pull_request',
    'pull_request_review',
    'push',
    'release',
    'repository',
    'workflow_job',
    'workflow_run',
  ],
})
