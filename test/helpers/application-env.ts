/** The environment for a program that a test starts: without what tap adds for its own children, such as its loader. */
export const applicationEnv = (added: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => {
  const own = Object.entries(process.env).filter(([name]) => name !== 'NODE_OPTIONS' && !/^_?TAP/.test(name))
  return { ...Object.fromEntries(own), ...added }
}
