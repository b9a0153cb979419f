terraform {
  required_version = ">= 1.4"

  backend "local" {
    path = "/srv/terraform-state/platform/identity.tfstate"
  }
}

module "labels" {
  source = "../../modules/labels"

  stack = "identity"
}

locals {
  roles = {
    cluster  = ["images:pull", "logs:write"]
    registry = ["images:push", "images:pull"]
    auditor  = ["logs:read"]
  }
}

resource "terraform_data" "role" {
  for_each = local.roles

  input = {
    name        = "${module.labels.prefix}-${each.key}"
    permissions = each.value
    tags        = module.labels.tags
  }
}

output "cluster_role" {
  value = "${module.labels.prefix}-cluster"
}
