terraform {
  required_version = ">= 1.4"

  backend "local" {
    path = "/srv/terraform-state/platform/network.tfstate"
  }
}

module "labels" {
  source = "../../modules/labels"

  stack = "network"
}

variable "range" {
  type    = string
  default = "10.20.0.0/16"
}

locals {
  zones = ["a", "b"]
}

resource "terraform_data" "vpc" {
  input = {
    name  = module.labels.prefix
    range = var.range
    tags  = module.labels.tags
  }
}

module "subnet" {
  source   = "../../modules/subnet"
  for_each = toset(local.zones)

  name  = "${module.labels.prefix}-${each.key}"
  range = cidrsubnet(var.range, 4, index(local.zones, each.key))
  tags  = module.labels.tags
}

output "vpc_id" {
  value = "vpc-${substr(sha256(module.labels.prefix), 0, 8)}"
}

output "subnet_ids" {
  value = [for zone in local.zones : module.subnet[zone].id]
}
