terraform {
  required_version = ">= 1.4"

  backend "local" {
    path = "/srv/terraform-state/data/cache.tfstate"
  }
}

data "terraform_remote_state" "network" {
  backend = "local"

  config = {
    path = "/srv/terraform-state/platform/network.tfstate"
  }
}

module "labels" {
  source = "../../modules/labels"

  stack = "cache"
}

resource "terraform_data" "node" {
  count = 2

  input = {
    name   = "${module.labels.prefix}-${count.index}"
    memory = "2Gi"
    subnet = data.terraform_remote_state.network.outputs.subnet_ids[count.index]
    tags   = module.labels.tags
  }

  lifecycle {
    # Whether a node of this size could be had is known only once it is there.
    postcondition {
      condition     = contains(["1Gi", "2Gi", "4Gi"], self.output.memory)
      error_message = "No host of the zone has room for a node of ${self.output.memory}: 4Gi is the most."
    }
  }
}

output "endpoint" {
  value = "${module.labels.prefix}.internal:6379"
}
