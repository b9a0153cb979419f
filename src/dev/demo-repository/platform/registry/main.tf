terraform {
  required_version = ">= 1.4"

  backend "local" {
    path = "/srv/terraform-state/platform/registry.tfstate"
  }
}

module "labels" {
  source = "../../modules/labels"

  stack = "registry"
}

resource "terraform_data" "repository" {
  for_each = toset(["storefront", "worker"])

  input = {
    name      = "${module.labels.prefix}/${each.key}"
    keep_last = 50
    tags      = module.labels.tags
  }

  # A new repository takes a while to be known everywhere; until then a push to it fails.
  provisioner "local-exec" {
    command = "sleep 8"
  }
}
