terraform {
  required_version = ">= 1.4"

  backend "local" {
    path = "/srv/terraform-state/platform/cluster.tfstate"
  }
}

data "terraform_remote_state" "network" {
  backend = "local"

  config = {
    path = "/srv/terraform-state/platform/network.tfstate"
  }
}

data "terraform_remote_state" "identity" {
  backend = "local"

  config = {
    path = "/srv/terraform-state/platform/identity.tfstate"
  }
}

module "labels" {
  source = "../../modules/labels"

  stack = "cluster"
}

variable "kubernetes" {
  type    = string
  default = "1.33"
}

resource "terraform_data" "control_plane" {
  input = {
    name    = module.labels.prefix
    version = var.kubernetes
    role    = data.terraform_remote_state.identity.outputs.cluster_role
    subnets = data.terraform_remote_state.network.outputs.subnet_ids
    tags    = module.labels.tags
  }
}

resource "terraform_data" "pool" {
  for_each = { general = 3, batch = 1 }

  input = {
    cluster = module.labels.prefix
    name    = each.key
    nodes   = each.value
    tags    = module.labels.tags
  }

  # Nodes are replaced to change their version.
  triggers_replace = [var.kubernetes]
}

output "name" {
  value = module.labels.prefix
}
