/**
 * The limits (docs/interface.md, 'Limits'), and those of the code host (65,535 characters of output), in one place for service
 * and client.
 */
export const limits = {
  graphBodyBytes: 8 * 1024 * 1024,
  /** From here on one at a time: of 8 MB, resolving and recording hold some 60 MB for a moment, and eight at once were 500 MB. */
  largeGraphBytes: 1024 * 1024,
  /** Of all graphs that are read, waiting or recorded: two of the largest, or hundreds of the usual ones. */
  graphBytes: 16 * 1024 * 1024,
  /** How long the client waits for an answer. */
  graphSeconds: 30,
  /** Far above the 150 ms of 8 MB; the graphs of other repositories wait meanwhile. */
  resolveSeconds: 2,
  /** Of the thread that resolves; with it, all bodies below and 130 MB of an idle service there is room left in 512 MB. */
  resolveMegabytes: 96,
  bodyBytes: 1024 * 1024,
  /** Of the code host's 5,000 requests an hour, for one trial of a configuration that anybody may have written. */
  trialMemberships: 100,
  /** Of the same 5,000, for all trials of one person in one installation within an hour; a membership may take two requests. */
  trialQuestions: 600,
  /** Of all bodies that have no budget of their own, from their first byte to the answer. */
  bodiesBytes: 16 * 1024 * 1024,
  /** For 8 MB over a slow line; without a limit, a client that sends a byte a minute would hold its connection for ever. */
  requestSeconds: 120,
  /** Of lists and objects in each other; requests have some five. */
  bodyLevels: 100,
  webhookBodyBytes: 25 * 1024 * 1024,
  /** How long the code host waits for the answer, its own sending included. */
  webhookSeconds: 10,
  /**
   * How much of the service's 512 MB may be bodies that are not yet known to come from the code host: one of the largest and thousands
   * of the usual 10 to 30 KB. With two of the largest, a crowd of all sorts was seen to take 525 to 577 MB; with these limits 480 to 487.
   */
  unverifiedBytes: 32 * 1024 * 1024,
  planTextBytes: 256 * 1024,
  planTextKeptBytes: 8 * 1024,
  checkNameChars: 64,
  /** Of a stack in a run: a job posts as many as it likes, of 68 KB each, into the disk and the pages of all. */
  checksOfStack: 100,
  checkSummaryBytes: 4 * 1024,
  checkDetailsBytes: 64 * 1024,
  errorTextBytes: 64 * 1024,
  /** Addresses of resources in each list of a summary, and the length of one. */
  addresses: 500,
  addressChars: 1000,
  /** Of a job or of a check's details: browsers and the code host take some 2,000 characters. */
  webAddressChars: 2048,
  toolVersionChars: 100,
  artifactNameChars: 260,
  outputChars: 65_535,
  /** Of what is looked for. */
  searchChars: 200,
  pageSize: 50,
  pageSizeMax: 500,
  /** The newest runs, and the newest open ones, that an overview shows. */
  overviewRuns: 20,
  tokenAgeSeconds: 600,
  matrixJobs: 256,
  dispatchInputChars: 65_535,
  instanceNameChars: 64,
  tagChars: 64,
  /** Of a stack. */
  tags: 50,
  keyChars: 1000,
  /** A key is in an index of Postgres, whose rows have room for 2,704 bytes. */
  keyBytes: 2500,
  /** No path in git is longer. */
  pathChars: 4096,
  treeHashChars: 256,
  /** Of a comment, at the code host. */
  commentChars: 65_536,
  /** Stacks that one request may name. */
  stacksNamed: 25_000,
  sessionSeconds: 7 * 24 * 3600,
  /**
   * For so long a repository that the app was taken off, or is suspended on, is as before: who did it by mistake has put it back by then,
   * and jobs on the code host's own runners end in six hours.
   */
  outOfSightHours: 24,
  /** From the redirect to the code host to the way back. */
  signInSeconds: 600,
  setupSeconds: 3600,
  appNameChars: 34,
  /** To show a machine as it stood, all its transitions by then are made again: some 0.4 s for so many. */
  replayedTransitions: 20_000,
  /** Commands in comments that are carried out within a minute on one pull request. */
  commandsPerMinute: 10,
} as const
