import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/*
 * A typical company checkout: stacks by team and service, four files each, a hundred shared modules that use each other,
 * state in one bucket, every stack reading another's, heredocs, templates and comments throughout.
 */

const MODULES = 100

const main = (team: string, service: number, i: number): string => `# ${team}, service ${service}
locals {
  name = "${team}-service-${service}"
  tags = { team = "${team}", service = local.name, managed = true }
}

module "network" {
  source = "../../../modules/module-${i % MODULES}"
  name   = local.name
  tags   = local.tags
}

module "vpc" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "5.${i % 9}.0"
  cidr    = cidrsubnet(var.cidr, 8, ${i % 250}) # one range each
}

data "terraform_remote_state" "upstream" {
  backend = "s3"
  config = {
    bucket = "company-state"
    key    = "stacks/${Math.max(0, i - 1)}/terraform.tfstate"
    region = var.region
  }
}

${[1, 2, 3]
  .map(
    (n) => `resource "aws_instance" "node_${n}" {
  ami           = data.aws_ami.base.id
  instance_type = var.instance_type
  count         = var.replicas > ${n} ? 1 : 0
  tags          = merge(local.tags, { Name = "\${local.name}-${n}-\${count.index}" })
  user_data     = <<-EOT
    #!/bin/sh
    echo "node ${n} of \${local.name}" > /etc/motd
    curl -fsSL https://example.com/\${var.region}/boot.sh | sh -s -- --node ${n} # {not a block
  EOT

  dynamic "ebs_block_device" {
    for_each = var.disks
    content {
      device_name = ebs_block_device.value.device
      volume_size = ebs_block_device.value.size
    }
  }

  lifecycle {
    ignore_changes = [tags, user_data]
  }
}
`,
  )
  .join('\n')}
data "aws_ami" "base" {
  most_recent = true
  filter {
    name   = "name"
    values = ["base-*"]
  }
}
`

const variables = `variable "region" {
  type    = string
  default = "eu-central-1"
}

variable "cidr" {
  description = "Range that the service's network is cut out of"
  default     = "10.0.0.0/8"
}

variable "instance_type" { default = "t3.small" }
variable "replicas" { default = 2 }

variable "disks" {
  type    = list(object({ device = string, size = number }))
  default = [{ device = "/dev/sdf", size = 20 }]
}
`

const backend = (i: number): string => `terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = { source = "hashicorp/aws", version = "~> 5.0" }
  }
  backend "s3" {
    bucket       = "company-state"
    key          = "stacks/${i}/terraform.tfstate"
    region       = "eu-central-1"
    use_lockfile = true
  }
}

provider "aws" { region = var.region }
`

const moduleText = (i: number): string => `variable "name" {}
variable "tags" { default = {} }
${i + 10 < MODULES ? `module "inner" {\n  source = "../module-${i + 10}"\n  name   = var.name\n}\n` : ''}
resource "aws_security_group" "this" {
  name = var.name
  tags = var.tags
}
`

/** Writes the tree of `stacks` stacks and commits it. */
export const writeScanTree = (dir: string, stacks: number): void => {
  const write = (path: string, text: string): void => {
    mkdirSync(join(dir, dirname(path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  for (let i = 0; i < MODULES; i++) write(`modules/module-${i}/main.tf`, moduleText(i))
  for (let i = 0; i < stacks; i++) {
    const team = `team-${i % 40}`
    const at = `live/${team}/service-${i}`
    write(`${at}/main.tf`, main(team, i, i))
    write(`${at}/variables.tf`, variables)
    write(`${at}/backend.tf`, backend(i))
    write(
      `${at}/outputs.tf`,
      `output "name" { value = local.name }\noutput "node" {\n  value = aws_instance.node_1[*].id\n}\n`,
    )
  }
  write('.terraform-version', '1.11.4\n')
  const git = (...args: string[]) => execFileSync('git', ['-C', dir, ...args], { stdio: 'ignore' })
  git('init', '-q')
  git('add', '-A')
  git('-c', 'user.name=bench', '-c', 'user.email=bench@example.com', 'commit', '-qm', 'tree')
}
