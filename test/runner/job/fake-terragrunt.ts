import { fakeTool } from './fake-tool.ts'

/*
 * A stand-in for terragrunt, which is not on every machine. It takes the arguments and prints the lines that Terragrunt 1.0 does, and
 * refuses what that would refuse: a directory that is no unit, commands that are none of its own without `run --`, and to be left
 * waiting for an answer. What it runs is the stand-in for terraform, in a cache below the unit, as Terragrunt does.
 *
 * Files of the unit besides those of the other stand-in: `no-outputs` lists commands that fail as a dependency without outputs has
 * them fail. FAKE_VERSION of the environment is its version.
 */
export const fakeTerragrunt = `#!/bin/bash
fail() { echo "ERROR $*" >&2; exit 1; }
if [ "$*" = --version ]; then echo "terragrunt version v\${FAKE_VERSION:-1.0.3}"; exit 0; fi
[ "$TG_NON_INTERACTIVE" = true ] || fail 'waits for an answer'
[ "$TF_IN_AUTOMATION" = 1 ] && [ "$TF_INPUT" = 0 ] || fail 'not in automation'
[ "$TG_TF_FORWARD_STDOUT" = true ] || { echo '12:00:00.000 STDOUT terraform: wrapped'; exit 0; }
[ -z "$TG_WORKING_DIR" ] || cd "$TG_WORKING_DIR"
if [ "$*" = 'stack generate' ]; then
  [ -f terragrunt.stack.hcl ] || fail 'no stack file'
  mkdir -p .terragrunt-stack/one && echo '# generated' > .terragrunt-stack/one/terragrunt.hcl
  echo "$*" >> .terragrunt-stack/one/calls
  echo '12:00:00.000 INFO   Generating unit one from ./terragrunt.stack.hcl' >&2
  exit 0
fi
[ -f terragrunt.hcl ] || fail "You attempted to run terragrunt in a folder that does not contain a terragrunt.hcl file"
case "$1" in
  run) [ "$2" = -- ] || fail "unknown command $2"; shift 2 ;;
  init|validate|plan|apply|destroy|output|refresh|show|state) ;;
  *) fail "unknown command: $1" ;;
esac
if [ -f no-outputs ] && grep -qw "$1" no-outputs; then
  echo "$PWD/terragrunt.hcl is a dependency of $PWD but detected no outputs. Either the target module has not been applied yet, or the module has no outputs." >&2
  echo "$*" >> calls
  exit 1
fi
if [ "$1" = init ]; then
  data=.terragrunt-cache/xJ1/kQ2/modules/vpc/.terraform
  mkdir -p "$data/modules/x" && echo '{}' > "$data/modules/terraform.tfstate"
  echo '{"backend":{"type":"s3","config":{"bucket":"b","key":"k","region":"eu-1"}}}' > "$data/terraform.tfstate"
fi
echo "12:00:00.000 INFO   terraform: $*" >&2
${fakeTool.replace('#!/bin/bash\n', '')}`
